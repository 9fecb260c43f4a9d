import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { findUser, isEmpty } from '#auth/auth.ts';
import { isPassword } from '#auth/passwords/passwords.ts';
import { demoSignIn, firstStart } from '#company/first-start.ts';
import { operatingCompany } from '#operations/operator.ts';
import { systemClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import type { Database } from '#platform/db/database.ts';
import { randomIds } from '#platform/ids.ts';
import { openTestDatabase } from '../../stages/kontor.ts';

describe('a first start that fails in the middle', () => {
  let folder: string;
  let database: Database;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-first-'));
    database = await openTestDatabase(folder, undefined);
  });
  afterAll(async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('leaves no company without examples or sign-in; the next start creates both', async () => {
    const config = readConfig({ KONTOR_DATA: folder, NODE_ENV: 'test' });
    const start = (add: () => Promise<void>) =>
      firstStart({ database, clock: systemClock, ids: randomIds, config, seed: async () => add });
    const killed = () => Promise.reject(new Error('killed'));
    await expect(start(killed)).rejects.toThrow('killed');
    expect(await isEmpty(database)).toBe(true);
    // The file with the sign-in cannot be written.
    const file = join(folder, 'demo-anmeldung.json');
    await rm(file);
    await mkdir(file);
    await expect(start(() => Promise.resolve())).rejects.toThrow('EISDIR');
    expect(await isEmpty(database)).toBe(true);
    await rm(file, { recursive: true });
    await start(() => Promise.resolve());
    const { email, password } = demoSignIn(folder) ?? { email: '', password: '' };
    const user = await findUser(database, email);
    expect(await isPassword(password, user?.passwordHash, { asker: 'known', bothForms: false })).toBe(true);
  });
});

describe('an owner whose e-mail domain has an umlaut', () => {
  it.each(['as it is typed', 'as mail servers know it'])('is found at the next start, stored %s', async (form) => {
    const folder = await mkdtemp(join(tmpdir(), 'kontor-first-'));
    const database = await openTestDatabase(folder, undefined);
    onTestFinished(async () => {
      await database.close();
      await rm(folder, { recursive: true, force: true });
    });
    const owner = { KONTOR_ADMIN_EMAIL: 'Inhaber@müller.example', KONTOR_ADMIN_PASSWORD: 'ein langes Passwort 4711' };
    const config = readConfig({ KONTOR_DATA: folder, NODE_ENV: 'test', ...owner });
    const seed = () => Promise.resolve(() => Promise.resolve());
    const start = () => firstStart({ database, clock: systemClock, ids: randomIds, config, seed });
    await start();
    if (form === 'as it is typed')
      await database.kysely.updateTable('user').set({ email: 'inhaber@müller.example' }).execute();
    await start();
    for (const email of ['Inhaber@müller.example', 'inhaber@xn--mller-kva.example'])
      expect(await findUser(database, email), email).toBeDefined();
    const companies = await database.kysely.selectFrom('organization').select('id').execute();
    expect(companies.map(({ id }) => id)).toEqual([await operatingCompany(database, owner.KONTOR_ADMIN_EMAIL)]);
  });
});
