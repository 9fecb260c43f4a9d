import type { Readable } from 'node:stream';
import type { Trx } from '#platform/db/database.ts';
import type { JobFile } from '#platform/jobs/job-files.ts';
import { isGone } from './files.ts';

/** Files that a statement or a reader uses: they stay at the paths of `localOf` until `release`. */
export type HeldFiles = { readonly localOf: (path: string) => string; readonly release: () => void };

/** A byte range of a file, both ends included. */
export type ByteRange = { readonly start: number; readonly end: number };
export type ListedFile = { readonly path: string; readonly bytes: number; readonly at: Date };

/** Media type and name of a file in a response. */
export type Described = { readonly mime: string; readonly name: string };

/** One attempt of a job; the fence distinguishes it from attempts of other workers. */
export type Attempt = { readonly id: string; readonly fence: number };

/** How the files of a job are stored when it ends. */
export type JobFiles = {
  /** The slow part, before the transaction: contents are stored durably but are not visible yet. */
  prepare(attempt: Attempt, files: readonly JobFile[]): Promise<void>;
  /** Runs in the transaction that stores the end: must not wait for a disk or a network. It may run again. */
  place(trx: Trx, attempt: Attempt, files: readonly JobFile[]): Promise<void>;
  /** Runs after the commit. */
  settle(attempt: Attempt, files: readonly JobFile[]): Promise<void>;
  /** Runs last, in any case: cleans up what was prepared but not placed. */
  discard(attempt: Attempt, files: readonly JobFile[]): Promise<void>;
};

/**
 * The files of all companies: in a folder (folder-store.ts) or in a bucket (bucket-store.ts). A file is named by its path as
 * made by catalogue/storage-paths.ts, wherever it is stored. Files with names ending in `.tmp` are work of this process on this
 * machine and not part of the store, as are files that can be computed again.
 */
export type Store = JobFiles & {
  /** `trx`: a caller inside a transaction must not wait for a second connection, or all callers wait for each other. */
  has(path: string, trx?: Trx): Promise<boolean>;
  /** For code that reads files by their path; a path that is not stored is returned unchanged, so that its reader reports it. */
  hold(paths: readonly string[]): Promise<HeldFiles>;
  /**
   * Returns a file as a stream ready to be sent; wrong content is never sent completely.
   * @throws ENOENT if there is no such file
   */
  stream(path: string, range?: ByteRange): Promise<Readable>;
  /**
   * Returns an address at which anybody can download the file for some minutes with these headers; undefined if we must send it
   * ourselves, as with all personal data.
   * @throws ENOENT if there is no such file
   */
  addressOf(path: string, as: Described): Promise<string | undefined>;
  /** Takes over a finished temporary file, which is stored durably when this resolves. */
  keep(temporary: string, path: string): Promise<void>;
  /** Stores incoming data of about `expected` bytes in the same way. @throws 503 disk_full if there is no room */
  receive(path: string, content: AsyncIterable<Uint8Array>, expected?: number): Promise<void>;
  remove(paths: readonly string[]): Promise<void>;
  /** Removes a folder and everything below it. @throws if any of it is left */
  removeBelow(folder: string): Promise<void>;
  /** Returns the stored files below a folder, without temporary ones. */
  list(folder: string): Promise<ListedFile[]>;
  sizeOf(folders: readonly string[]): Promise<{ files: number; bytes: number }>;
  /**
   * For one company: removes objects without a row that are older than `before`, and returns the paths of files stored before
   * then whose content is missing or has changed.
   */
  tidy(company: string, before: Date): Promise<{ removed: number; lost: string[] }>;
};

/** Runs work with one file by its local path. */
export async function useFile<T>(store: Store, path: string, work: (local: string) => Promise<T>): Promise<T> {
  const held = await store.hold([path]);
  try {
    return await work(held.localOf(path));
  } finally {
    held.release();
  }
}

/** Returns a file as `Store.stream` does; undefined if it does not exist, e.g. because it was cleared away since it was listed. */
export const streamIfThere = (store: Pick<Store, 'stream'>, path: string): Promise<Readable | undefined> =>
  store.stream(path).catch((error: unknown) => {
    if (!isGone(error)) throw error;
    return undefined;
  });

/** The error that Node throws for a missing file. */
export const noSuchFile = (path: string): Error =>
  Object.assign(new Error(`ENOENT: no such file, open '${path}'`), { code: 'ENOENT' });
