import { z } from 'zod';
import type { Trx } from '#platform/db/database.ts';

/** A system made from a backup: what it would send was perhaps sent since, or is out of date. */
export type OutgoingHold = { readonly backupAt: string; readonly restoredAt: string };
const HoldBody = z.object({ backupAt: z.iso.datetime() });

/** The last backup that was finished. */
export type LastBackup = { readonly at: string; readonly file: string; readonly bytes: number };
const BackupBody = z.object({ file: z.string(), bytes: z.number() });

/** How fetching reference rates went: when it was tried, when it succeeded, and since when it does not. */
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

/** Where the files of the installation lie: '' for a folder, or the bucket's name; and which folder it is, once a process has said so. */
const PlaceBody = z.object({ store: z.string(), folder: z.string().optional() });
export type FilesPlace = z.infer<typeof PlaceBody>;

/** Who keeps new jobs from being taken, since when. */
export type JobsPause = { readonly by: string; readonly since: string };
const PauseBody = z.object({ by: z.string() });

type FactName = 'outgoing_hold' | 'last_backup' | 'exchange_rates' | 'files_place' | 'jobs_paused';

/** Since when nothing goes out to marketplaces and channels; undefined: everything goes. */
export async function outgoingHold(trx: Trx): Promise<OutgoingHold | undefined> {
  const row = await loadFact(trx, 'outgoing_hold');
  return row && { ...HoldBody.parse(JSON.parse(row.body)), restoredAt: row.at.toISOString() };
}

/** Keeps prices, order actions, stock and files from going out until somebody releases them. */
export const holdOutgoing = (trx: Trx, backupAt: string, now: Date): Promise<void> =>
  saveFact(trx, 'outgoing_hold', { backupAt } satisfies z.infer<typeof HoldBody>, now);

/** Lets everything go out again. */
export async function releaseOutgoing(trx: Trx): Promise<void> {
  await trx.deleteFrom('installation_facts').where('name', '=', 'outgoing_hold').execute();
}

/** Since when no process takes a job; undefined: they are taken. */
export async function jobsPause(trx: Trx): Promise<JobsPause | undefined> {
  const row = await loadFact(trx, 'jobs_paused');
  return row && { ...PauseBody.parse(JSON.parse(row.body)), since: row.at.toISOString() };
}

/** Keeps every process from taking jobs. What runs comes to its end. */
export const pauseJobs = (trx: Trx, by: string, now: Date): Promise<void> =>
  saveFact(trx, 'jobs_paused', { by } satisfies z.infer<typeof PauseBody>, now);

/** Lets jobs be taken again. */
export async function resumeJobs(trx: Trx): Promise<void> {
  await trx.deleteFrom('installation_facts').where('name', '=', 'jobs_paused').execute();
}

/** When this installation was backed up last; undefined: never. */
export async function lastBackup(trx: Trx): Promise<LastBackup | undefined> {
  const row = await loadFact(trx, 'last_backup');
  return row && { ...BackupBody.parse(JSON.parse(row.body)), at: row.at.toISOString() };
}

/** Remembers a finished backup. */
export const saveLastBackup = (trx: Trx, backup: z.infer<typeof BackupBody>, now: Date): Promise<void> =>
  saveFact(trx, 'last_backup', backup, now);

/** How the last fetch of reference rates went; undefined: there was none. */
export async function lastRatesFetch(trx: Trx): Promise<RatesFetch | undefined> {
  const row = await loadFact(trx, 'exchange_rates');
  return row && { ...RatesBody.parse(JSON.parse(row.body)), triedAt: row.at.toISOString() };
}

/** Remembers a try to fetch reference rates. */
export const saveRatesFetch = (trx: Trx, fetch: z.infer<typeof RatesBody>, now: Date): Promise<void> =>
  saveFact(trx, 'exchange_rates', fetch, now);

/** Where the first process put the files; undefined: nobody has said it yet. */
export async function filesPlace(trx: Trx): Promise<FilesPlace | undefined> {
  const row = await loadFact(trx, 'files_place');
  return row && PlaceBody.parse(JSON.parse(row.body));
}

/** Remembers where the files lie. */
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
