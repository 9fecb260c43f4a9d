import { copyFile, link, mkdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { filesBelow, isGone } from '#platform/storage/files.ts';

/** Folders that are recreated when missing: fields after the master's rules, and working files of running jobs. */
const MADE_ANEW: ReadonlySet<string> = new Set(['fields', 'work']);
/** Whether a part of a path marks a file that is recreated when missing. */
export const isRecreatable = (part: string): boolean =>
  MADE_ANEW.has(part) || part.endsWith('.tmp') || part.endsWith('.keys');

/**
 * Gives every file below `folder` a hard link below `hold`, so that it exists while the backup reads it, even if the original is
 * deleted. Finished files never change, so nothing is copied. Returns their paths.
 */
export async function holdFiles(folder: string, hold: string): Promise<string[]> {
  const paths: string[] = [];
  for (const { name, parentPath } of await filesBelow(folder)) {
    const path = relative(folder, join(parentPath, name));
    if (path.split('/').some((part) => part.startsWith('.') || isRecreatable(part))) continue;
    const held = join(hold, path);
    await mkdir(dirname(held), { recursive: true, mode: 0o700 });
    if (await hasSecondName(join(folder, path), held)) paths.push(path);
  }
  return paths.sort();
}

/** False: the file was deleted meanwhile, for example an upload whose import has ended. */
async function hasSecondName(path: string, held: string): Promise<boolean> {
  try {
    // Some network drives support no hard links.
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
