import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Database } from '#platform/db/database.ts';
import { filesBelow, sweepTemporaries, syncPath } from '#platform/storage/files.ts';

/** A file that a job has finished under a temporary name, and the name under which it is found once the job has ended. */
export type JobFile = { readonly temporary: string; readonly final: string };

/** One attempt of a job: the fence tells it apart from attempts of other workers. */
type Attempt = { readonly id: string; readonly fence: number };

/** Where an attempt writes what is to become `final`: beside it, so that a rename suffices, and apart from every other attempt. */
export const temporaryName = ({ id, fence }: Attempt, final: string): string => `${final}.${id}-${fence}.tmp`;

/** What a temporary file of an attempt is to become. */
export const finalName = (attempt: Attempt, temporary: string): string =>
  temporary.slice(0, -temporaryName(attempt, '').length);

/** The name of a file that is complete and on the disk: the commit alone is missing. */
const readyName = ({ id, fence }: Attempt, final: string): string => `${final}.${id}-${fence}.ready.tmp`;
const readyPattern = /^(.+)\.([A-Za-z0-9]+)-(\d+)\.ready\.tmp$/;

/**
 * The slow part, to be done before the transaction: contents and names reach the disk. A transaction that waited for it would hold up
 * every request, for the embedded database has one connection.
 */
export async function prepareFiles(attempt: Attempt, files: readonly JobFile[]): Promise<void> {
  for (const { temporary, final } of files) {
    await syncPath(temporary);
    await rename(temporary, readyName(attempt, final));
  }
  await syncFolders(files);
}

/** Inside the transaction, after its check of the fence: nothing but renames, so an overtaken worker replaces nothing. */
export async function placeFiles(attempt: Attempt, files: readonly JobFile[]): Promise<void> {
  for (const { final } of files) {
    const ready = readyName(attempt, final);
    // If the transaction is repeated (database.ts), the file has been renamed already.
    if (!existsSync(ready) && existsSync(final)) continue;
    await rename(ready, final);
  }
}

/** After the commit. A power cut before it may undo the renames; `recoverFiles` does them again. */
export async function syncFolders(files: readonly JobFile[]): Promise<void> {
  for (const folder of new Set(files.map(({ final }) => dirname(final)))) await syncPath(folder);
}

/** Removes prepared files that were not renamed. */
export async function discardFiles(attempt: Attempt, files: readonly JobFile[]): Promise<void> {
  for (const { final } of files) await rm(readyName(attempt, final), { force: true });
}

/**
 * To be called at the start: the renames of jobs whose end is committed are done again, in case a power cut undid them;
 * then half-written files older than `maxAgeMs` at `now` are removed. Returns how many files were renamed.
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
