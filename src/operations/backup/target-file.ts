import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

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
  const existing = await stat(path).catch(() => undefined);
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
