import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCompany } from '#auth/auth.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import { chainDeletion, deletionsAtNight, verifyDeletions } from '#operations/company-data/deletion-chain.ts';
import { recordDeletion } from '#operations/trash/deletion-records.ts';
import { systemClock } from '#platform/clock.ts';
import { Vault } from '#platform/crypto/vault.ts';
import type { Database } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';
import { randomIds } from '#platform/ids.ts';
import { openTestDatabase, testDatabaseUrl } from '../../stages/kontor.ts';

const log = makeLog('silent');

describe('the chained proofs of company deletions', () => {
  let database: Database;
  let folder: string;
  const vault = new Vault('g'.repeat(40));
  const deps = () => ({ database, vault, clock: systemClock });
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-proofs-'));
    database = await openTestDatabase(folder, await testDatabaseUrl());
    await record('Before');
  });
  afterAll(async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  const record = (id: string, chained = false) =>
    database.company(`Gone${id}`, async (trx) => {
      const asked = { company: `Gone${id}`, id, kind: 'company' as const, subject: `Gone${id}`, name: 'Alte Firma' };
      const gone = { rows: { masters: 2 }, files: 3, bytes: 4 };
      const deletion = { ...asked, askedBy: 'Frieda', askedAt: new Date() };
      await recordDeletion(trx, deletion, gone, new Date());
      if (chained) await chainDeletion(trx, deps(), id);
    });
  /** Changes that only the database's administrator could make. */
  const change = (statement: string) =>
    database.kysely.transaction().execute(async (trx) => {
      await pg`select set_config('kontor.company', '*', true)`.execute(trx);
      await pg.raw(statement).execute(trx);
    });
  /** Empties both as after an upgrade: neither proofs nor a chain. */
  const emptied = async () => {
    await change('alter table security_events disable trigger user');
    for (const table of ['security_events', 'security_log_heads', 'deletion_records'])
      await change(`delete from ${table}`);
  };
  const broken = async () => (await verifyDeletions(deps())).broken;

  it('proofs older than the chain are added once, and the operator is notified', async () => {
    const company = await createCompany(database, randomIds, systemClock, 'Betreiber');
    const other = await createCompany(database, randomIds, { now: () => new Date(Date.now() + 60_000) }, 'Mieter');
    const told: string[] = [];
    const addNotification = async (_trx: unknown, to: string, { title }: { title: string }) =>
      told.push(`${to} ${title}`);
    const night = (of: string) => deletionsAtNight({ ...deps(), log, adminEmail: undefined, addNotification }, of);
    await night(other);
    expect(told).toEqual([]);
    await night(company);
    await night(company);
    expect(told).toEqual([`${company} Löschnachweise in die Kette aufgenommen`]);
    await change(`update deletion_records set name = 'X' where id = 'Before'`);
    await night(company);
    expect(told[1]).toBe(`${company} Löschnachweise verändert`);
    await change(`update deletion_records set name = 'Alte Firma' where id = 'Before'`);
  });

  it('a proof that was changed in one byte, removed or forged is detected', async () => {
    await record('One', true);
    await record('Two', true);
    expect(await broken()).toBe('');
    for (const [other, before] of [
      ['row_count = row_count + 1', 'row_count = row_count - 1'],
      [`name = 'Alte Firmb'`, `name = 'Alte Firma'`],
      [`asked_by = 'Frieda '`, `asked_by = 'Frieda'`],
      [`done_at = done_at + interval '1 second'`, `done_at = done_at - interval '1 second'`],
      [`table_rows = replace(table_rows, '2', '3')`, `table_rows = replace(table_rows, '3', '2')`],
    ]) {
      await change(`update deletion_records set ${other} where id = 'One'`);
      expect([other, await broken()]).toEqual([other, 'Der Löschnachweis One wurde verändert.']);
      await change(`update deletion_records set ${before} where id = 'One'`);
      expect(await broken()).toBe('');
    }
    await record('Forged');
    expect(await broken()).toBe('Der Löschnachweis Forged steht nicht in der Kette.');
    await change(`delete from deletion_records where id in ('Forged', 'Two')`);
    expect(await broken()).toBe('Der Löschnachweis Two fehlt.');
  });

  it('a chain rewritten to fit a changed proof fails the key check', async () => {
    await change(`alter table security_events disable trigger user`);
    await change(
      `update security_events set subject = 'Two ' || repeat('0', 64) where company = '@installation' and subject like 'Two %'`,
    );
    expect(await broken()).toContain('wurde verändert');
  });

  it('a company deletion before the first night adds the older proofs, and the operator is notified once', async () => {
    await emptied();
    await record('Older');
    await record('Newer', true);
    expect(await verifyDeletions(deps())).toEqual({ broken: '', takenIn: 0 });
    const { id: company } = await database.kysely
      .selectFrom('organization')
      .select('id')
      .orderBy('createdAt')
      .executeTakeFirstOrThrow();
    const told = new Map<string, string>();
    const addNotification = async (_trx: unknown, to: string, one: { id: string; title: string; text: string }) =>
      told.set(`${to} ${one.id}`, `${one.title}: ${one.text.slice(0, 12)}`);
    for (const _ of [1, 2]) await deletionsAtNight({ ...deps(), log, adminEmail: undefined, addNotification }, company);
    expect([...told.values()]).toEqual(['Löschnachweise in die Kette aufgenommen: 1 Nachweise ']);
  });

  it('a company deletion during the check raises no false alarm', async () => {
    await emptied();
    await record('First', true);
    let deleted: Promise<void> | undefined;
    const between: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        deleted ??= record('Between', true);
        await Promise.race([deleted, setTimeout(300)]);
        return result;
      },
    };
    let reading = 0;
    const system: Database['system'] = (work) =>
      // The second transaction is the one that compares.
      database.system((trx) => work(++reading === 2 ? trx.withPlugin(between) : trx));
    const slow = Object.assign(Object.create(database) as Database, { system });
    expect(await verifyDeletions({ ...deps(), database: slow })).toEqual({ broken: '', takenIn: 0 });
    await deleted;
    expect([reading, await broken()]).toEqual([2, '']);
  });
});
