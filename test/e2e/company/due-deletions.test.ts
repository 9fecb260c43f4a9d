import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCompanyOf, createUser, findUser } from '#auth/auth.ts';
import { addNotification } from '#notifications/notifications.ts';
import { storagePathsIn } from '#catalogue/storage-paths.ts';
import { deleteDueCompanies, pendingDeletion, scheduleDeletion } from '#operations/company-data/deletion.ts';
import { Vault } from '#platform/crypto/vault.ts';
import type { Database } from '#platform/db/database.ts';
import { randomIds } from '#platform/ids.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import { openTestDatabase, testDatabaseUrl } from '../../stages/kontor.ts';

const HOUR = 60 * 60 * 1000;

describe('companies whose deletion is due', () => {
  let folder: string;
  let database: Database;
  const clock = { time: Date.now(), now: () => new Date(clock.time) };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-due-'));
    database = await openTestDatabase(folder, await testDatabaseUrl());
  });
  afterAll(async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  // At a second try the first one's users may still exist.
  const addressOf = (name: string) => `${name}-${randomIds.id().toLowerCase()}@beispiel.de`;
  const made = async (name: string, email = addressOf(name)) => {
    const owner = { name, email, password: 'lampe-wolke-trecker' };
    const company = await createCompanyOf(database, randomIds, clock, { name, owner });
    const asked = { company, id: randomIds.id(), name, by: name, now: clock.now() };
    await database.company(company, (trx) => scheduleDeletion(trx, asked));
    return company;
  };
  /** Whose company operates; nobody's at first. */
  let adminEmail = addressOf('niemand');
  /** The company whose files the store cannot delete. */
  let kept: string | undefined;
  const look = () => {
    const paths = storagePathsIn(folder);
    const store = {
      ...paths.store,
      removeBelow: async (path: string) => {
        if (kept !== undefined && path.includes(kept)) throw new Error('the store keeps it');
      },
    };
    return deleteDueCompanies({
      database,
      clock,
      ids: randomIds,
      vault: new Vault('g'.repeat(40)),
      log: makeLog('silent'),
      jobs: { cancel: async () => undefined },
      storagePaths: { ...paths, store },
      stopDemoMarket: async () => undefined,
      adminEmail,
      addNotification,
    });
  };
  const left = async () =>
    (await database.kysely.selectFrom('organization').select('id').execute()).map(({ id }) => id);

  it('are deleted although an earlier one fails, which is retried', async () => {
    const all = [await made('eins'), await made('zwei'), await made('drei')];
    [kept] = all;
    clock.time += 25 * HOUR;
    expect(await look()).toBe(2);
    expect(await left()).toEqual([kept]);
    // Nothing was done: the loop pauses before it checks again.
    clock.time += 1000;
    expect(await look()).toBe(0);
    kept = undefined;
    expect(await look()).toBe(1);
    expect(await left()).toEqual([]);
  });

  it('the operator’s company is kept if another one joined since, and its members read why', async () => {
    // What is left of the companies before.
    clock.time += HOUR;
    await look();
    adminEmail = addressOf('betreiber');
    const company = await made('betreiber', adminEmail);
    clock.time += HOUR;
    const owner = { name: 'Neu', email: addressOf('neu'), password: 'lampe-wolke-trecker' };
    const joined = await createCompanyOf(database, randomIds, clock, { name: 'neu', owner });
    clock.time += 25 * HOUR;
    expect(await look()).toBe(0);
    expect(await left()).toEqual(expect.arrayContaining([company, joined]));
    const [told, pending] = await database.company(company, async (trx) => [
      await trx.selectFrom('notifications').select(['title', 'text']).where('company', '=', company).execute(),
      await pendingDeletion(trx, company),
    ]);
    expect(told).toEqual([{ title: 'Firma nicht gelöscht', text: expect.stringContaining('betreiber angefordert') }]);
    expect(pending).toBeNull();
    for (const id of [company, joined]) {
      const asked = { company: id, id: randomIds.id(), name: 'x', by: 'x', now: clock.now() };
      await database.company(id, (trx) => scheduleDeletion(trx, asked));
    }
    clock.time += 25 * HOUR;
    expect(await look()).toBe(2);
    clock.time += HOUR;
    await look();
    expect(await left()).toEqual([]);
  });

  it('the operator’s company is kept while another one that is due could not be deleted', async () => {
    adminEmail = addressOf('betreiber');
    const company = await made('betreiber', adminEmail);
    clock.time += HOUR;
    kept = await made('mieter');
    const tenant = kept;
    clock.time += 25 * HOUR;
    expect(await look()).toBe(0);
    expect(await left()).toEqual(expect.arrayContaining([company, tenant]));
    kept = undefined;
    await database.company(company, (trx) =>
      scheduleDeletion(trx, { company, id: randomIds.id(), name: 'x', by: 'x', now: clock.now() }),
    );
    clock.time += 25 * HOUR;
    expect(await look()).toBe(2);
    expect(await left()).toEqual([]);
  });

  it.skipIf(process.env['KONTOR_TEST_DATABASE'] !== 'postgres')('users joining meanwhile are deleted too', async () => {
    const company = await made('vier');
    clock.time += 25 * HOUR;
    const [entered, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const person = { name: 'Zoe', email: 'zoe@beispiel.de', password: 'regen-kiste-fenster', company, role: 'viewer' };
    const joining = createUser(database, randomIds, clock, person, async () => {
      entered.resolve();
      await go.promise;
    });
    await entered.promise;
    const deleting = look();
    await wait(500);
    go.resolve();
    await Promise.all([joining, deleting]);
    expect(await left()).toEqual([]);
    expect(await findUser(database, person.email)).toBeUndefined();
  });
});
