import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCompanyOf } from '#auth/auth.ts';
import { storagePathsIn } from '#catalogue/storage-paths.ts';
import { askDeletion, deleteDueCompanies } from '#operations/company-data/deletion.ts';
import { Vault } from '#platform/crypto/vault.ts';
import type { Database } from '#platform/db/database.ts';
import { randomIds } from '#platform/ids.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import { openTestDatabase } from '../stages/kontor.ts';

const HOUR = 60 * 60 * 1000;

describe('companies whose day is over', () => {
  let folder: string;
  let database: Database;
  const clock = { time: Date.now(), now: () => new Date(clock.time) };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-due-'));
    database = await openTestDatabase(folder, undefined);
  });
  afterAll(async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('are deleted though one before them cannot be: that one is tried again', async () => {
    const made = async (name: string) => {
      const owner = { name, email: `${name}@beispiel.de`, password: 'lampe-wolke-trecker' };
      const company = await createCompanyOf(database, randomIds, clock, { name, owner });
      const asked = { company, id: randomIds.id(), name, by: name, now: clock.now() };
      await database.company(company, (trx) => askDeletion(trx, asked));
      return company;
    };
    const all = [await made('eins'), await made('zwei'), await made('drei')];
    const paths = storagePathsIn(folder);
    const [first] = all;
    let refused: string | undefined = first;
    const store = {
      ...paths.store,
      removeBelow: async (path: string) => {
        if (refused !== undefined && path.includes(refused)) throw new Error('the store keeps it');
      },
    };
    const deps = {
      database,
      clock,
      ids: randomIds,
      vault: new Vault('g'.repeat(40)),
      log: makeLog('silent'),
      jobs: { cancel: async () => undefined },
      storagePaths: { ...paths, store },
      stopDemoMarket: async () => undefined,
    };
    const left = async () =>
      (await database.kysely.selectFrom('organization').select('id').execute()).map(({ id }) => id);
    clock.time += 25 * HOUR;
    expect(await deleteDueCompanies(deps)).toBe(2);
    expect(await left()).toEqual([first]);
    // Nothing was done: the loop rests before it looks again.
    clock.time += 1000;
    expect(await deleteDueCompanies(deps)).toBe(0);
    refused = undefined;
    expect(await deleteDueCompanies(deps)).toBe(1);
    expect(await left()).toEqual([]);
  });
});
