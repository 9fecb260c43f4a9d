import { createUser } from '#auth/auth.ts';
import { systemClock } from '#platform/clock.ts';
import { randomIds } from '#platform/ids.ts';
import type { Role } from '#shared/account/roles.ts';
import { api } from '#shared/http/api.ts';
import type { TestKontor } from './kontor.ts';

/** Adds a member as if by an invitation, without the hundred milliseconds and the events of one. */
export async function addMember(
  kontor: Pick<TestKontor, 'ask' | 'database'>,
  person: { name: string; email: string; password: string; role: Role },
): Promise<{ id: string }> {
  const { company } = await kontor.ask(api.session);
  return { id: await createUser(kontor.database, randomIds, systemClock, { ...person, company: company.id }) };
}
