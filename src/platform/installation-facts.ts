import { z } from 'zod';
import type { Trx } from '#platform/db/database.ts';

/** Outgoing data is held after a restore: what the backup would send may have been sent already, or be out of date. */
export type OutgoingHold = { readonly backupAt: string; readonly restoredAt: string };
const HoldBody = z.object({ backupAt: z.iso.datetime() });

/** The last finished backup. */
export type LastBackup = { readonly at: string; readonly file: string; readonly bytes: number };
const BackupBody = z.object({ file: z.string(), bytes: z.number() });

/** State of fetching reference rates: last attempt, last success, and since when it fails. */
export type RatesFetch = {
  readonly triedAt: string;
  readonly fetchedAt: string | null;
  readonly failedSince: string | null;
  readonly message: string;
};
const RatesBody = z.object({
  fetchedAt: z.iso.datetime().nullable(),
  failedSince: z.iso.datetime().nullable(),
  message: z.string(),
});

/** Where the files are stored: '' for a folder, or the bucket's name; and the folder's id, once a process has stored it. */
const PlaceBody = z.object({ store: z.string(), folder: z.string().optional() });
export type FilesPlace = z.infer<typeof PlaceBody>;

/** Who paused the taking of new jobs, and when. */
export type JobsPause = { readonly by: string; readonly since: string };
const PauseBody = z.object({ by: z.string() });

type FactName = 'outgoing_hold' | 'last_backup' | 'exchange_rates' | 'files_place' | 'jobs_paused';

/** Returns since when nothing is sent to marketplaces and channels; undefined: everything is sent. */
export async function outgoingHold(trx: Trx): Promise<OutgoingHold | undefined> {
  const row = await loadFact(trx, 'outgoing_hold');
  return row && { ...HoldBody.parse(JSON.parse(row.body)), restoredAt: row.at.toISOString() };
}

/** Holds prices, order actions, stock and files back until a user releases them. */
export const holdOutgoing = (trx: Trx, backupAt: string, now: Date): Promise<void> =>
  saveFact(trx, 'outgoing_hold', { backupAt } satisfies z.infer<typeof HoldBody>, now);

/** Lets everything be sent again. */
export async function releaseOutgoing(trx: Trx): Promise<void> {
  await trx.deleteFrom('installation_facts').where('name', '=', 'outgoing_hold').execute();
}

/** Returns since when no process takes jobs; undefined: they are taken. */
export async function jobsPause(trx: Trx): Promise<JobsPause | undefined> {
  const row = await loadFact(trx, 'jobs_paused');
  return row && { ...PauseBody.parse(JSON.parse(row.body)), since: row.at.toISOString() };
}

/** Keeps every process from taking jobs. Running jobs finish. */
export const pauseJobs = (trx: Trx, by: string, now: Date): Promise<void> =>
  saveFact(trx, 'jobs_paused', { by } satisfies z.infer<typeof PauseBody>, now);

/** Lets jobs be taken again. */
export async function resumeJobs(trx: Trx): Promise<void> {
  await trx.deleteFrom('installation_facts').where('name', '=', 'jobs_paused').execute();
}

/** Returns the last backup of this installation; undefined: none yet. */
export async function lastBackup(trx: Trx): Promise<LastBackup | undefined> {
  const row = await loadFact(trx, 'last_backup');
  return row && { ...BackupBody.parse(JSON.parse(row.body)), at: row.at.toISOString() };
}

/** Stores the facts of a finished backup. */
export const saveLastBackup = (trx: Trx, backup: z.infer<typeof BackupBody>, now: Date): Promise<void> =>
  saveFact(trx, 'last_backup', backup, now);

/** Returns the state of the last fetch of reference rates; undefined: none yet. */
export async function lastRatesFetch(trx: Trx): Promise<RatesFetch | undefined> {
  const row = await loadFact(trx, 'exchange_rates');
  return row && { ...RatesBody.parse(JSON.parse(row.body)), triedAt: row.at.toISOString() };
}

/** Stores the result of an attempt to fetch reference rates. */
export const saveRatesFetch = (trx: Trx, fetch: z.infer<typeof RatesBody>, now: Date): Promise<void> =>
  saveFact(trx, 'exchange_rates', fetch, now);

/** Returns where the first process put the files; undefined: not stored yet. */
export async function filesPlace(trx: Trx): Promise<FilesPlace | undefined> {
  const row = await loadFact(trx, 'files_place');
  return row && PlaceBody.parse(JSON.parse(row.body));
}

/** Stores where the files are. */
export const saveFilesPlace = (trx: Trx, place: FilesPlace, now: Date): Promise<void> =>
  saveFact(trx, 'files_place', place, now);

const loadFact = (trx: Trx, name: FactName) =>
  trx.selectFrom('installation_facts').select(['body', 'at']).where('name', '=', name).executeTakeFirst();

async function saveFact(trx: Trx, name: FactName, value: unknown, at: Date): Promise<void> {
  const body = JSON.stringify(value);
  await trx
    .insertInto('installation_facts')
    .values({ name, body, at })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ body, at }))
    .execute();
}
