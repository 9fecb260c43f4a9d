import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database, Trx } from '#platform/db/database.ts';
import type { Bucket } from '#platform/storage/s3/bucket.ts';
import { StoreRefusal } from '#platform/storage/s3/store-refusal.ts';
import { fileChanged } from '#platform/storage/store-errors.ts';
import { findRows } from '#platform/storage/stored-rows.ts';
import { holdFiles, isMadeAnew } from './hold-files.ts';
import type { MissingFile } from './manifest.ts';

/** A file of the moment that is backed up; its object and what its bytes are, where it lies in a bucket. */
export type HeldFile = { readonly path: string; readonly stored?: Stored };
type Stored = { readonly object: string; readonly bytes: number; readonly sha256: string };
type Opened = { readonly bytes: number; readonly content: AsyncIterable<Uint8Array> } | Pick<MissingFile, 'why'>;

/** Where a backup has the files from. */
export type FileSource = {
  /** Whether nobody may end a run or clear away while files are held. */
  readonly blocks: boolean;
  /** The files that the rows of this transaction's moment name. */
  hold(trx: Trx): Promise<HeldFile[]>;
  /** Once the transaction is over. */
  open(file: HeldFile): Promise<Opened>;
};

/** Files of a folder get second names below `hold`. */
export function folderSource(folder: string, hold: string): FileSource {
  return {
    blocks: true,
    hold: async () => {
      await mkdir(hold, { recursive: true, mode: 0o700 });
      return (await holdFiles(folder, hold)).map((path) => ({ path }));
    },
    open: async ({ path }) => {
      const held = join(hold, path);
      // Opened once it is its turn: nobody closes what is not read.
      const { size: bytes } = await stat(held);
      return { bytes, content: readLater(held, bytes) };
    },
  };
}

/**
 * Objects are there before the rows that name them, never change, and go behind them: the rows of the moment are all that is to be known.
 * What went nevertheless (a company, a catalogue out of the trash) is told from what is lost by its row.
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
        .filter(({ path }) => !path.split('/').some(isMadeAnew))
        .map(({ path, ...stored }) => ({ path, stored }));
    },
    open: async ({ path, stored }) => {
      if (stored === undefined) return { why: 'lost' };
      const source = bucket.read(stored.object);
      try {
        return { bytes: stored.bytes, content: checked(path, stored, source, await source.next()) };
      } catch (error) {
        if (!(error instanceof StoreRefusal && error.answered === 404)) throw error;
        const [row] = await findRows(database, [path]);
        return { why: row?.object === stored.object ? 'lost' : 'deleted' };
      }
    },
  };
}

/** So many bytes: of an upload that is still coming more are there by then, and no row names it yet. */
async function* readLater(path: string, bytes: number): AsyncGenerator<Buffer> {
  if (bytes > 0) yield* createReadStream(path, { end: bytes - 1 });
}

/** @throws file_changed where other bytes come than were put there */
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
