import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashPassword } from '#auth/passwords/passwords.ts';
import { renewStored } from '#auth/passwords/stored-passwords.ts';
import { secondsFromNow } from '#platform/db/pg.ts';
import { api } from '#shared/http/api.ts';
import { addMember } from '../../stages/add-member.ts';
import { testKontor, type TestKontor } from '../../stages/kontor.ts';
import { Visitor } from '../../stages/http/visitor.ts';

const password = 'lampe-wolke-trecker';
const argon2id = /^\$argon2id\$/;
const scrypt = /^[0-9a-f]{32}:[0-9a-f]{128}$/;

describe('password hashes of an older version', () => {
  let kontor: TestKontor;
  beforeAll(async () => {
    kontor = await testKontor();
  });
  afterAll(() => kontor.close());

  const users = () => kontor.database.kysely;
  const row = (id: string) => users().selectFrom('user').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const formOf = async (id: string) => (await row(id)).password_hash;
  let made = 0;
  const member = async () => {
    const person = { name: 'Jo Ahrens', email: `jo${++made}@beispiel.de`, password };
    const { id } = await addMember(kontor, { ...person, role: 'editor' });
    return { ...person, id };
  };
  const storeOlder = async (id: string) => {
    const older = await hashPassword(password, 'scrypt');
    await users().updateTable('user').set({ password_hash: older }).where('id', '=', id).execute();
    return older;
  };
  /** Registers another process on this database, of a version that only knows scrypt. */
  const olderProcess = (silentSeconds: number) =>
    users()
      .insertInto('processes')
      .values({
        name: 'alt/1',
        role: 'web',
        program: 'older',
        started_at: secondsFromNow(-900),
        seen_at: secondsFromNow(-silentSeconds),
      })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ seen_at: secondsFromNow(-silentSeconds) }))
      .execute();

  it('are replaced by Argon2id at the next sign-in, and nothing else changes', async () => {
    const { id, email } = await member();
    const elsewhere = new Visitor(kontor);
    await elsewhere.signIn({ email, password });
    const older = await storeOlder(id);
    const before = await row(id);
    expect((await new Visitor(kontor).signIn({ email, password: 'lampe-wolke' })).status).toBe(401);
    expect(await formOf(id)).toBe(older);
    const visitor = new Visitor(kontor);
    expect((await visitor.signIn({ email, password })).status).toBe(200);
    const renewed = await formOf(id);
    expect(renewed).toMatch(argon2id);
    expect(await row(id)).toEqual({ ...before, password_hash: renewed });
    for (const one of [elsewhere, visitor]) expect((await one.send(api.session)).status).toBe(200);
    await visitor.ask(api.prove, { body: { password } });
    expect((await new Visitor(kontor).signIn({ email, password })).status).toBe(200);
    expect(await formOf(id)).toBe(renewed);
  });

  it('let several browsers sign in at once, although the first one replaces the hash', async () => {
    const { id, email } = await member();
    await storeOlder(id);
    const answers = await Promise.all(Array.from({ length: 4 }, () => new Visitor(kontor).signIn({ email, password })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await formOf(id)).toMatch(argon2id);
  });

  it('are not renewed when another password was set in the meantime', async () => {
    const { id } = await member();
    const passwordHash = await storeOlder(id);
    const newer = await hashPassword('ganz-anderes-wort', 'argon2id');
    await users().updateTable('user').set({ password_hash: newer }).where('id', '=', id).execute();
    await renewStored({ kysely: users() }, { id, passwordHash }, password);
    expect(await formOf(id)).toBe(newer);
  });

  it('stay readable for a running process of the older version, and so do new ones', async () => {
    const person = await member();
    const older = await storeOlder(person.id);
    await olderProcess(10);
    const visitor = new Visitor(kontor);
    expect((await visitor.signIn(person)).status).toBe(200);
    expect(await formOf(person.id)).toBe(older);
    const another = await member();
    expect(await formOf(another.id)).toMatch(scrypt);
    const changed = { current: password, password: 'wolke-lampe-anhänger', endOthers: false };
    await visitor.ask(api.changePassword, { body: changed });
    expect(await formOf(person.id)).toMatch(scrypt);
    await olderProcess(600);
    expect((await new Visitor(kontor).signIn(another)).status).toBe(200);
    expect(await formOf(another.id)).toMatch(argon2id);
  });
});
