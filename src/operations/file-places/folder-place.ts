import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isGone, syncPath } from '#platform/storage/files.ts';
import { fileChanged } from '#platform/storage/store-errors.ts';
import type { FilePlace } from './file-place.ts';

/** Returns the file place that is a folder, with each file under its path. */
export function folderPlace(folder: string): FilePlace {
  const folders = new Set<string>();
  return {
    name: '',
    firstFile: async (except) => (await namesIn(folder)).find((name) => !except?.test(name)),
    has: async ({ path, bytes, sha256 }) => {
      const target = join(folder, path);
      const info = await stat(target).catch((error: unknown) => {
        // Any other error hides whether it is there.
        if (isGone(error)) return undefined;
        throw error;
      });
      if (info === undefined) return false;
      if (info.size === bytes && (await measured(createReadStream(target))).sha256 === sha256) return true;
      await rm(target);
      return false;
    },
    put: async ({ path, bytes, sha256 }, content) => {
      const target = join(folder, path);
      const temporary = `${target}.tmp`;
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await pipeline(content(), createWriteStream(temporary, { mode: 0o600, flush: true }));
      const put = await measured(createReadStream(temporary));
      if (put.bytes !== bytes || put.sha256 !== sha256) throw fileChanged(path);
      await rename(temporary, target);
      folders.add(dirname(target));
      return undefined;
    },
    end: async () => {
      for (const one of folders) await syncPath(one);
    },
    close: async () => {},
  };
}

/** Returns the names of a folder's files; none if it does not exist. A folder that cannot be read may contain files. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isGone(error)) return [];
    throw error;
  }
}

/** Reads content to the end; returns its size and hash. */
export async function measured(content: AsyncIterable<Uint8Array>): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of content) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}
