import { copyFile, link, mkdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { filesBelow, isGone } from '#platform/storage/files.ts';

/** What is made anew when it is missing: fields after the master's rules, the folders of running work, and what facets keep beside a snapshot. */
const MADE_ANEW: ReadonlySet<string> = new Set(['fields', 'work']);
/** By one of the names in a path. */
export const isMadeAnew = (part: string): boolean =>
  MADE_ANEW.has(part) || part.endsWith('.tmp') || part.endsWith('.keys');

/**
 * Gives every file below `folder` a second name below `hold`, so that it stays as long as the backup reads it, whoever deletes the
 * first. Files are never changed once they have their name, so nothing is copied. Gives their paths.
 */
export async function holdFiles(folder: string, hold: string): Promise<string[]> {
  const paths: string[] = [];
  for (const { name, parentPath } of await filesBelow(folder)) {
    const path = relative(folder, join(parentPath, name));
    if (path.split('/').some((part) => part.startsWith('.') || isMadeAnew(part))) continue;
    const held = join(hold, path);
    await mkdir(dirname(held), { recursive: true, mode: 0o700 });
    if (await hasSecondName(join(folder, path), held)) paths.push(path);
  }
  return paths.sort();
}

/** False: the file is gone meanwhile, as one that an import has read to its end. */
async function hasSecondName(path: string, held: string): Promise<boolean> {
  try {
    // Some network disks have no second names.
    await link(path, held).catch((error: unknown) => {
      if (isGone(error)) throw error;
      return copyFile(path, held);
    });
    return true;
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}
