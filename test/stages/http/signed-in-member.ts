import { expect } from 'vitest';
import type { Role } from '#shared/account/roles.ts';
import { addMember } from '../add-member.ts';
import type { TestKontor } from '../kontor.ts';
import { Visitor } from './visitor.ts';

/** Signs a person in on one more device. */
export async function anotherVisitor(
  kontor: TestKontor,
  person: { email: string; password: string },
  device?: string,
): Promise<Visitor> {
  const visitor = new Visitor(kontor, device);
  expect((await visitor.signIn(person)).status).toBe(200);
  return visitor;
}

let made = 0;
/** Adds a member of the company, signed in. */
export async function signedInMember(kontor: TestKontor, role: Role = 'editor') {
  const person = { name: 'Frieda Yılmaz', email: `frieda${++made}@beispiel.de`, password: 'lampe-wolke-trecker' };
  const { id } = await addMember(kontor, { ...person, role });
  return { ...person, id, visitor: await anotherVisitor(kontor, person) };
}
