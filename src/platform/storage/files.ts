import type { Dirent, Stats } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

/**
 * Makes a finished temporary file visible under its final name: content and directory entry reach the disk (F1, F2). Never call
 * it inside a transaction, as a disk may take seconds; files of a job are placed at its end (jobs.ts).
 */
export async function publish(temporary: string, final: string): Promise<void> {
  await syncPath(temporary);
  await rename(temporary, final);
  await syncPath(dirname(final));
}

/** Waits until a file, or the entries of a folder, are on the disk. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Removes every `*.tmp` below `folder` older than `maxAgeMs` at `now`, left by dead processes. Returns their number. */
export async function sweepTemporaries(folder: string, now: Date, maxAgeMs: number): Promise<number> {
  let removed = 0;
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch((error: unknown) => {
    if (isGone(error)) return [];
    throw error;
  });
  for (const entry of entries) {
    if (!entry.name.endsWith('.tmp')) continue;
    const path = join(entry.parentPath, entry.name);
    const info = await statIfThere(path);
    if (!info || now.getTime() - info.mtimeMs < maxAgeMs) continue;
    await rm(path, { recursive: true, force: true });
    removed++;
  }
  return removed;
}

/** Removes files below `folder` not written to since `before`, except in the folder `spared`: they can be computed again. */
export async function sweepFiles(folder: string, before: Date, spared: string): Promise<void> {
  for (const entry of await filesBelow(folder)) {
    const path = join(entry.parentPath, entry.name);
    if (relative(folder, path).startsWith(`${spared}/`)) continue;
    const info = await statIfThere(path);
    if (info !== undefined && info.mtime < before) await rm(path, { force: true });
  }
}

/**
 * Returns every file below a folder. A folder that disappears during the listing counts as empty; Node's own recursive listing
 * would fail entirely.
 * @throws if a folder cannot be read
 */
export async function filesBelow(folder: string, found: Dirent[] = []): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (isGone(error)) return [];
    throw error;
  });
  for (const entry of entries) {
    if (entry.isFile()) found.push(entry);
    if (entry.isDirectory()) await filesBelow(join(folder, entry.name), found);
  }
  return found;
}

/** Whether an error means that a file or folder does not exist. */
export const isGone = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Returns what a file is, undefined if it does not exist. @throws any other error, which hides whether it exists */
export const statIfThere = (path: string): Promise<Stats | undefined> =>
  stat(path).catch((error: unknown) => {
    if (isGone(error)) return undefined;
    throw error;
  });

/** Returns the number of files below these folders, and their bytes. */
export async function sizeOf(folders: readonly string[]): Promise<{ files: number; bytes: number }> {
  const sum = { files: 0, bytes: 0 };
  for (const folder of folders)
    for (const { parentPath, name } of await filesBelow(folder)) {
      const info = await statIfThere(join(parentPath, name));
      if (info === undefined) continue;
      sum.files++;
      sum.bytes += info.size;
    }
  return sum;
}
