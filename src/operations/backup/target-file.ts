import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const pattern = /^kontor-(\d{4}-\d{2}-\d{2}T\d{2})(\d{2})(\d{2}Z)\.tar(?:\.sealed)?(\.tmp)?$/;
const DAY_MS = 24 * 60 * 60 * 1000;

/** The name of a backup in a folder of backups; the second it was made in is part of it. */
export const backupName = (now: Date, sealed: boolean): string =>
  `kontor-${now.toISOString().replace(/:/g, '').replace(/\.\d+/, '')}.tar${sealed ? '.sealed' : ''}`;

/**
 * Where a backup goes: into a folder under a name of its own, or under the given name where that ends with .tar or .tar.sealed, or is a
 * file's. A folder that is not there yet is made. `folder`: whose older ones expire.
 */
export async function targetFile(
  path: string,
  now: Date,
  sealed: boolean,
): Promise<{ file: string; folder: string | undefined }> {
  const there = await stat(path).catch(() => undefined);
  const isFolder = path.endsWith('/') || (there?.isDirectory() ?? !/\.tar(\.sealed)?$/.test(path));
  if (isFolder) await mkdir(path, { recursive: true, mode: 0o700 });
  return isFolder ? { file: join(path, backupName(now, sealed)), folder: path } : { file: path, folder: undefined };
}

/**
 * Removes backups of a folder that are older than `keepDays`, by the time in their names, and what killed ones left a day ago.
 * Personal data that was erased since would live on in them. Gives their names.
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
