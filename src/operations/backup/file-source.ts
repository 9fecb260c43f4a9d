import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database, Trx } from '#platform/db/database.ts';
import type { Bucket } from '#platform/storage/s3/bucket.ts';
import { StoreRefusal } from '#platform/storage/s3/store-refusal.ts';
import { fileChanged } from '#platform/storage/store-errors.ts';
import { findRows } from '#platform/storage/stored-rows.ts';
import { holdFiles, isRecreatable } from './hold-files.ts';
import type { MissingFile } from './manifest.ts';

/** A file of the backed-up moment. `stored`: its object in the bucket with size and hash; absent for files of a folder. */
export type HeldFile = { readonly path: string; readonly stored?: Stored };
type Stored = { readonly object: string; readonly bytes: number; readonly sha256: string };
type OpenedFile = {
  readonly bytes: number;
  readonly content: AsyncIterable<Uint8Array>;
  /** Ends the reading, even if it has not begun: a generator that was never asked runs no `finally`. */
  close(): Promise<void>;
};
type Opened = OpenedFile | Pick<MissingFile, 'why'>;

/** The place that a backup reads files from. */
export type FileSource = {
  /** Whether runs must not end and files must not be cleared away while files are held. */
  readonly blocks: boolean;
  /** Holds the files that the rows of this transaction refer to, and returns them. */
  hold(trx: Trx): Promise<HeldFile[]>;
  /** Opens a held file; to be called after the transaction. */
  open(file: HeldFile): Promise<Opened>;
};

/** Returns a source that holds files of a folder by hard links below `hold`. */
export function folderSource(folder: string, hold: string): FileSource {
  return {
    blocks: true,
    hold: async () => {
      await mkdir(hold, { recursive: true, mode: 0o700 });
      return (await holdFiles(folder, hold)).map((path) => ({ path }));
    },
    open: async ({ path }) => {
      const held = join(hold, path);
      // Opened only when it is read: a stream that is never read would stay open.
      const { size: bytes } = await stat(held);
      return { bytes, content: readLater(held, bytes), close: async () => {} };
    },
  };
}

/**
 * Returns a source that reads objects of a bucket. An object is written before the row that names it, never changes, and is
 * deleted after that row: so the rows of the moment are all a backup needs. Whether a missing object was deleted meanwhile (a
 * company, a catalogue in the trash) or is lost shows in its row.
 */
export function bucketSource(database: Database, bucket: Bucket): FileSource {
  return {
    blocks: false,
    hold: async (trx) => {
      const rows = await trx
        .selectFrom('stored_files')
        .select(['path', 'object', 'bytes', 'sha256'])
        .orderBy('path')
        .execute();
      return rows
        .filter(({ path }) => !path.split('/').some(isRecreatable))
        .map(({ path, ...stored }) => ({ path, stored }));
    },
    open: async ({ path, stored }) => {
      if (stored === undefined) return { why: 'lost' };
      try {
        return await openObject(bucket, path, stored);
      } catch (error) {
        if (!(error instanceof StoreRefusal && error.answered === 404)) throw error;
        const [row] = await findRows(database, [path]);
        return { why: row?.object === stored.object ? 'lost' : 'deleted' };
      }
    },
  };
}

/** Begins to read an object; `path`: the file that it holds. */
export async function openObject(bucket: Pick<Bucket, 'read'>, path: string, stored: Stored): Promise<OpenedFile> {
  const source = bucket.read(stored.object);
  const content = checked(path, stored, source, await source.next());
  return { bytes: stored.bytes, content, close: async () => void (await source.return(undefined)) };
}

/** Reads at most this many bytes: an unfinished upload may have grown by then, and no row refers to the new bytes yet. */
async function* readLater(path: string, bytes: number): AsyncGenerator<Buffer> {
  if (bytes > 0) yield* createReadStream(path, { end: bytes - 1 });
}

/** @throws file_changed if the content differs from what was stored */
async function* checked(
  path: string,
  { bytes, sha256 }: Stored,
  source: AsyncGenerator<Buffer>,
  first: IteratorResult<Buffer>,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let came = 0;
  try {
    for (let next = first; !next.done; next = await source.next()) {
      hash.update(next.value);
      came += next.value.length;
      if (came > bytes) throw fileChanged(path);
      yield next.value;
    }
  } finally {
    await source.return(undefined);
  }
  if (came !== bytes || hash.digest('hex') !== sha256) throw fileChanged(path);
}
