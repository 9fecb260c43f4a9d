import { join } from 'node:path';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import type { Clock } from '#platform/clock.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { anyOf, pg } from '#platform/db/pg.ts';
import type { Tables } from '#platform/db/tables.ts';
import type { Ids } from '#platform/ids.ts';
import { despiteFailures } from '#platform/jobs/despite-failures.ts';
import { defineJob, jobRunner, type JobRunner } from '#platform/jobs/job-definition.ts';
import type { Log } from '#platform/telemetry/log.ts';
import type { TrashEntry } from '#shared/operations/trash.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { showTrash } from '#catalogue/trash.ts';
import { recordDeletion } from './deletion-records.ts';
import { expired, exportsOf, jobSubjects } from './trash.ts';

export type PurgeDeps = {
  database: Database;
  clock: Clock;
  ids: Ids;
  log: Pick<Log, 'error'>;
  storagePaths: Pick<StoragePaths, 'company' | 'store'>;
};

type TablesWith<Column extends string> = {
  [Name in keyof Tables]: Tables[Name] extends Record<Column, unknown> ? Name : never;
}[keyof Tables];

/**
 * What happens to rows that refer to a deleted catalogue; a new table without a line here is a type error. 'kept': decisions and
 * sent prices must stay provable, and orders belong to the company, not to the catalogue.
 */
const ofMaster: Record<TablesWith<'master'>, 'goes' | 'kept'> = {
  article_offers: 'goes',
  decision_samples: 'goes',
  import_uploads: 'goes',
  item_alarms: 'goes',
  listings: 'goes',
  marketplace_accounts: 'goes',
  noticed_catalogues: 'goes',
  offer_minutes: 'goes',
  order_lines: 'kept',
  price_breakers: 'goes',
  price_decisions: 'kept',
  price_restores: 'goes',
  price_submissions: 'kept',
  rank_history: 'goes',
  reprice_queue: 'goes',
  repricer_counters: 'goes',
  repricer_simulations: 'goes',
  repricer_states: 'goes',
  snapshots: 'goes',
  stock_dirty: 'goes',
  stock_items: 'goes',
  stock_feeds: 'goes',
  stock_offers: 'goes',
  stock_states: 'goes',
  exports: 'goes',
};
/** Rows that refer to an export. */
const ofExport: Record<TablesWith<'export'>, 'goes'> = {
  export_files: 'goes',
  old_feed_addresses: 'goes',
  stock_files: 'goes',
  transfer_results: 'goes',
};

/** Deletes an entry of the trash right away, on a user's request. If it fails, the nightly maintenance does it. */
export const purgeJob = defineJob({ kind: 'purge', payload: z.object({}), pool: 'maintenance' });
export const purgeSubject = (id: string): string => `purge:${id}`;

export const purgeRunner = (deps: PurgeDeps): JobRunner =>
  jobRunner(purgeJob, async ({ company }, { signal }) => {
    await purgeTrash(deps, company, signal);
    return { state: 'done' };
  });

/**
 * Deletes permanently what has been in the trash long enough, and records that nothing of it is left. An entry that fails keeps
 * no other one.
 * @throws the first failure, at the end
 */
export async function purgeTrash(deps: PurgeDeps, company: string, signal: AbortSignal): Promise<void> {
  const { database, clock, log } = deps;
  const due = await database.company(company, (trx) => expired(trx, company, clock.now()));
  await despiteFailures(due, (entry) => purge(deps, company, entry), {
    signal,
    failed: (err, { id: entry }) => log.error({ err, company, entry }, 'an entry of the trash could not be deleted'),
  });
}

/** Deletes files first: what is due cannot be restored, so after a kill the rows are found and the deletion continues. */
async function purge({ database, clock, ids, storagePaths }: PurgeDeps, company: string, entry: TrashEntry) {
  const { id, kind, name, trashedBy: askedBy } = entry;
  const exports = kind === 'export' ? [id] : await database.company(company, (trx) => exportsOf(trx, { company, id }));
  const folders = (kind === 'export' ? [id] : [id, ...exports]).map((one) => join(storagePaths.company(company), one));
  const { store } = storagePaths;
  const files = await store.sizeOf(folders);
  for (const folder of folders) await store.removeBelow(folder);
  await database.company(company, async (trx) => {
    await showTrash(trx);
    // A large catalogue has millions of rows. Cut off, the deletion would fail every night.
    await pg`set local statement_timeout = 0`.execute(trx);
    const owner = { company, id, kind, exports };
    const rows = await deleteRowsOf(trx, owner);
    // The nightly maintenance and a user's request may coincide: only one of them records it.
    if (rows[kind === 'catalogue' ? 'masters' : 'exports'] === 0) return;
    const left = await tablesWithRowsOf(trx, owner);
    const { files: still } = await store.sizeOf(folders);
    if (left.length > 0 || still > 0)
      throw new Error(`deletion of ${kind} ${id} left ${[...left, `${still} files`].join(' ')}`);
    const deletion = { company, id: ids.id(), kind, subject: id, name, askedBy, askedAt: new Date(entry.trashedAt) };
    await recordDeletion(trx, deletion, { rows, ...files }, clock.now());
  });
}

type Rows = { table: string; where: RawBuilder<unknown> };
type Owner = { company: string; id: string; kind: TrashEntry['kind']; exports: readonly string[] };

/** Returns conditions for all rows of an entry by table, referring tables before the referenced ones. */
function rowsOf({ company, id, kind, exports }: Owner): Rows[] {
  const whole = kind === 'catalogue';
  const all = whole ? [id, ...exports] : exports;
  const scopes = all.flatMap((one) => [`master:${one}`, `export:${one}`]);
  const inCompany = (where: RawBuilder<unknown>) => pg`company = ${company} and ${where}`;
  const paths = pg`exists (select 1 from unnest(${all}::text[]) as one where position(one in path) > 0)`;
  const named = (tables: readonly string[], where: RawBuilder<unknown>) =>
    tables.map((table) => ({ table, where: inCompany(where) }));
  return [
    ...named(namesIn(ofExport), pg`export = ${anyOf(all)}`),
    ...named(whole ? namesIn(ofMaster) : [], pg`master = ${id}`),
    ...named(['documents', 'schedules'], pg`scope = ${anyOf(scopes)}`),
    ...named(['saved_view_defaults', 'saved_views'], pg`scope = ${anyOf(all)}`),
    ...named(['jobs'], pg`subject = ${anyOf(all.flatMap(jobSubjects))}`),
    ...named(['secrets'], pg`place = ${anyOf(all.flatMap((one) => [`schedule:${one}`, `upload:${one}`]))}`),
    ...named(
      ['deliveries'],
      pg`notification in (select id from notifications where company = ${company} and ${paths})`,
    ),
    ...named(['notifications'], paths),
    ...named([whole ? 'masters' : 'exports'], pg`id = ${id}`),
  ];
}

const namesIn = (tables: Readonly<Record<string, 'goes' | 'kept'>>): string[] =>
  Object.entries(tables).flatMap(([name, fate]) => (fate === 'goes' ? [name] : []));

/** Deletes the rows; returns their numbers by table. */
async function deleteRowsOf(trx: Trx, owner: Owner): Promise<Record<string, number>> {
  const deletedRows: Record<string, number> = {};
  for (const { table, where } of rowsOf(owner)) {
    const { numAffectedRows } = await pg`delete from ${pg.table(table)} where ${where}`.execute(trx);
    deletedRows[table] = (deletedRows[table] ?? 0) + Number(numAffectedRows ?? 0);
  }
  return deletedRows;
}

/** Returns the tables that still contain rows of it. */
async function tablesWithRowsOf(trx: Trx, owner: Owner): Promise<string[]> {
  const left: string[] = [];
  for (const { table, where } of rowsOf(owner)) {
    const { rows } = await pg`select 1 from ${pg.table(table)} where ${where} limit 1`.execute(trx);
    if (rows.length > 0) left.push(table);
  }
  return left;
}
