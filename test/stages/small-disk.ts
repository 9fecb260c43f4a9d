import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Mounts a file system that can be filled; undefined if this user may not mount one. */
export async function smallDisk(megabytes: number): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-disk-'));
  const made = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
  if (made.status === 0) return folder;
  await rm(folder, { recursive: true });
  return undefined;
}

export async function removeDisk(folder: string): Promise<void> {
  spawnSync('umount', ['-l', folder]);
  await rm(folder, { recursive: true, force: true });
}
