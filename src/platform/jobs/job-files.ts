import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Database } from '#platform/db/database.ts';
import { filesBelow, sweepTemporaries, syncPath } from '#platform/storage/files.ts';

/** A file that a job has finished under a temporary name, and its final name, which it gets when the job has ended. */
export type JobFile = { readonly temporary: string; readonly final: string };

/** One attempt of a job; the fence distinguishes it from attempts of other workers. */
type Attempt = { readonly id: string; readonly fence: number };

/** Returns where an attempt writes `final`: in the same folder, so that a rename suffices, with a name of its own. */
export const temporaryName = ({ id, fence }: Attempt, final: string): string => `${final}.${id}-${fence}.tmp`;

/** Returns the final name of an attempt's temporary file. */
export const finalName = (attempt: Attempt, temporary: string): string =>
  temporary.slice(0, -temporaryName(attempt, '').length);

/** Name of a file that is complete and on the disk; only the commit is missing. */
const readyName = ({ id, fence }: Attempt, final: string): string => `${final}.${id}-${fence}.ready.tmp`;
const readyPattern = /^(.+)\.([A-Za-z0-9]+)-(\d+)\.ready\.tmp$/;

/**
 * Forces contents and names to the disk, the slow part, before the transaction begins. A transaction that waited for it would
 * block every request, as the embedded database has one connection.
 */
export async function prepareFiles(attempt: Attempt, files: readonly JobFile[]): Promise<void> {
  for (const { temporary, final } of files) {
    await syncPath(temporary);
    await rename(temporary, readyName(attempt, final));
  }
  await syncFolders(files);
}

/** Runs inside the transaction, after its check of the fence: only renames, so a worker that lost its lease replaces nothing. */
export async function placeFiles(attempt: Attempt, files: readonly JobFile[]): Promise<void> {
  for (const { final } of files) {
    const ready = readyName(attempt, final);
    // If the transaction is repeated (database.ts), the file has been renamed already.
    if (!existsSync(ready) && existsSync(final)) continue;
    await rename(ready, final);
  }
}

/** Forces the renames to the disk, after the commit. A power cut before that may undo them; `recoverFiles` repeats them. */
export async function syncFolders(files: readonly JobFile[]): Promise<void> {
  for (const folder of new Set(files.map(({ final }) => dirname(final)))) await syncPath(folder);
}

/** Removes prepared files that were not renamed. */
export async function discardFiles(attempt: Attempt, files: readonly JobFile[]): Promise<void> {
  for (const { final } of files) await rm(readyName(attempt, final), { force: true });
}

/**
 * Repeats the renames of committed jobs, in case a power cut undid them, then removes half-written files older than `maxAgeMs`
 * at `now`. Call it at the start. Returns the number of files renamed.
 */
export async function recoverFiles(database: Database, folder: string, now: Date, maxAgeMs: number): Promise<number> {
  let restored = 0;
  for (const { name, parentPath } of await filesBelow(folder)) {
    const [, final, id, fence] = readyPattern.exec(name) ?? [];
    if (final === undefined || id === undefined) continue;
    const finished = await database.system((trx) =>
      trx
        .selectFrom('jobs')
        .select('id')
        .where((eb) => eb.and({ id, fence: Number(fence) }))
        .where('state', 'in', ['done', 'blocked'])
        .executeTakeFirst(),
    );
    if (finished === undefined) continue;
    await rename(join(parentPath, name), join(parentPath, final));
    await syncPath(parentPath);
    restored++;
  }
  await sweepTemporaries(folder, now, maxAgeMs);
  return restored;
}
