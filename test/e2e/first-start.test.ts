import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findUser, isEmpty } from '#auth/auth.ts';
import { isPassword } from '#auth/passwords/passwords.ts';
import { demoSignIn, firstStart } from '#company/first-start.ts';
import { systemClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import type { Database } from '#platform/db/database.ts';
import { randomIds } from '#platform/ids.ts';
import { openTestDatabase } from '../stages/kontor.ts';

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
