import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import type { Database } from '#platform/db/database.ts';
import type { JobContext } from '#platform/jobs/job.ts';
import { requireRoom } from '#platform/storage/disk-room.ts';
import { fileChanged } from '#platform/storage/store-errors.ts';
import { pathsOf, piecesOf } from './uploads.ts';

type Deps = { readonly database: Database; readonly storagePaths: StoragePaths };
type Ref = { readonly company: string; readonly masterid: string; readonly id: string };

/**
 * Joins the pieces of an upload into one file in the working folder of this attempt; a retry joins them again.
 * @throws 503 file_changed where a stored piece no longer has its checksum
 */
export async function joinedFile(
  { database, storagePaths }: Deps,
  ref: Ref,
  work: string,
  context: JobContext,
): Promise<string> {
  const pieces = await database.company(ref.company, (trx) => piecesOf(trx, ref));
  const total = pieces.reduce((sum, { bytes }) => sum + bytes, 0);
  const paths = pathsOf(storagePaths, ref, pieces);
  await requireRoom(work, total);
  async function* content() {
    let done = 0;
    for (const [index, { sha256 }] of pieces.entries()) {
      const path = paths[index] ?? '';
      const hash = createHash('sha256');
      for await (const chunk of (await storagePaths.store.stream(path)) as AsyncIterable<Buffer>) {
        hash.update(chunk);
        done += chunk.length;
        yield chunk;
      }
      if (hash.digest('hex') !== sha256) throw fileChanged(path);
      context.progress({ done, total, phase: 'Zusammensetzen' });
    }
  }
  const file = join(work, 'joined');
  await pipeline(content(), createWriteStream(file, { highWaterMark: 1024 * 1024 }), { signal: context.signal });
  return file;
}

/** Removes the stored pieces of an upload that was read or is no longer needed. The nightly cleanup deletes their rows. */
export async function removePieces({ database, storagePaths }: Deps, ref: Ref): Promise<void> {
  const pieces = await database.company(ref.company, (trx) => piecesOf(trx, ref));
  await storagePaths.store.remove(pathsOf(storagePaths, ref, pieces));
}
