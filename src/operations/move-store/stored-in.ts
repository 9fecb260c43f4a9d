import { createReadStream } from 'node:fs';
import { join, relative } from 'node:path';
import { type FileToPut } from '#operations/file-places/file-place.ts';
import { measured } from '#operations/file-places/folder-place.ts';
import type { Database } from '#platform/db/database.ts';
import { filesBelow } from '#platform/storage/files.ts';
import type { Bucket } from '#platform/storage/s3/bucket.ts';
import { StoreRefusal } from '#platform/storage/s3/store-refusal.ts';
import { fileLost } from '#platform/storage/store-errors.ts';

/** A file to move, whose size and hash are known. */
export type Known = FileToPut & { readonly read: () => AsyncIterable<Uint8Array> };
/** A file to move; it may have to be read to learn its size and hash. */
export type ToMove = { readonly path: string; readonly known: () => Promise<Known> };

/** Whether a part of a path marks a file that is recomputed from others, or is unfinished. */
const isPassing = (part: string): boolean =>
  part.startsWith('.') || part === 'fields' || part.endsWith('.tmp') || part.endsWith('.keys');

/** Returns the paths of all files in a folder of files. */
export async function pathsIn(folder: string): Promise<string[]> {
  return (await filesBelow(folder))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => path.includes('/') && !path.split('/').some(isPassing))
    .sort();
}

/** Returns the files to move from a folder. */
export async function filesOfFolder(folder: string): Promise<ToMove[]> {
  return (await pathsIn(folder)).map((path) => {
    const read = () => createReadStream(join(folder, path));
    return { path, known: async () => ({ path, ...(await measured(read())), read }) };
  });
}

/** Returns the files to move from a bucket, as the rows list them. */
export async function filesOfBucket(database: Database, bucket: Bucket): Promise<ToMove[]> {
  const rows = await database.system((trx) =>
    trx.selectFrom('stored_files').select(['path', 'object', 'bytes', 'sha256']).orderBy('path').execute(),
  );
  return rows.map(({ path, object, bytes, sha256 }) => {
    async function* read() {
      try {
        yield* bucket.read(object);
      } catch (error) {
        throw error instanceof StoreRefusal && error.answered === 404 ? fileLost(path, error) : error;
      }
    }
    return { path, known: async () => ({ path, bytes, sha256, read }) };
  });
}
