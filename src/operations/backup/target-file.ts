import { existsSync } from 'node:fs';
import { link, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { KontorError } from '#platform/errors.ts';
import { statIfThere } from '#platform/storage/files.ts';

const pattern = /^kontor-(\d{4}-\d{2}-\d{2}T\d{2})(\d{2})(\d{2}Z)\.tar(?:\.sealed)?((?:\.\w+)?\.tmp)?$/;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the name of a backup in a folder of backups; it contains the second in which the backup was made. */
export const backupName = (now: Date, sealed: boolean): string =>
  `kontor-${now.toISOString().replace(/:/g, '').replace(/\.\d+/, '')}.tar${sealed ? '.sealed' : ''}`;

/**
 * Returns the file that a backup is written to: the given path if it ends with .tar or .tar.sealed or is a file, otherwise a new
 * name in that folder, which is created if missing. `folder`: the folder whose old backups expire.
 */
export async function targetFile(
  path: string,
  now: Date,
  sealed: boolean,
): Promise<{ file: string; folder: string | undefined }> {
  const existing = await statIfThere(path);
  const isFolder = path.endsWith('/') || (existing?.isDirectory() ?? !/\.tar(\.sealed)?$/.test(path));
  if (isFolder) await mkdir(path, { recursive: true, mode: 0o700 });
  return isFolder ? { file: join(path, backupName(now, sealed)), folder: path } : { file: path, folder: undefined };
}

/**
 * Removes backups in a folder that are older than `keepDays`, by the time in their names, and unfinished files older than a day.
 * Otherwise personal data that was erased meanwhile would live on in them. Returns the removed names.
 */
export async function removeExpired(folder: string, keepDays: number, now: Date): Promise<string[]> {
  const removed: string[] = [];
  for (const name of await readdir(folder)) {
    const [, hour, minutes, seconds, half] = pattern.exec(name) ?? [];
    if (hour === undefined) continue;
    const age = now.getTime() - Date.parse(`${hour}:${minutes}:${seconds}`);
    if (age <= (half === undefined ? keepDays : 1) * DAY_MS) continue;
    await rm(join(folder, name), { force: true });
    removed.push(name);
  }
  return removed.sort();
}

/** Under what name a backup into `file` is written until it is complete. `id`: so that two of them do not mix. */
export const temporaryName = (file: string, id: string): string => `${file}.${id}.tmp`;

/** Removes what killed backups into the same file have left next to it more than a day ago. */
export async function removeUnfinished(file: string, now: Date): Promise<void> {
  const start = `${basename(file)}.`;
  for (const name of await readdir(dirname(file))) {
    if (!name.startsWith(start) || !/^\w{12}\.tmp$/.test(name.slice(start.length))) continue;
    const path = join(dirname(file), name);
    const info = await statIfThere(path);
    // A backup that is still being written is younger, however long it takes.
    if (info !== undefined && now.getTime() - info.mtimeMs > DAY_MS) await rm(path, { force: true });
  }
}

/** @throws 409 if the file exists */
export function refuseExisting(file: string): void {
  if (existsSync(file)) throw exists(file);
}

/** Gives a complete backup its final name, unless another one has it meanwhile; it may keep the other name, too. @throws 409 */
export async function giveName(temporary: string, file: string, linkTo: typeof link = link): Promise<void> {
  try {
    // Renaming would replace a file that appears at the same moment.
    await linkTo(temporary, file);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) throw exists(file);
    if (!hasCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS')) throw error;
    // A file system without hard links.
    refuseExisting(file);
    await rename(temporary, file);
  }
}

const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.some((code) => code === error.code);

const exists = (file: string): KontorError =>
  new KontorError(409, 'backup_exists', `${file} gibt es schon. Es wurde nichts überschrieben.`);
