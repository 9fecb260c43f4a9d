import type { Readable } from 'node:stream';
import type { Trx } from '#platform/db/database.ts';
import type { JobFile } from '#platform/jobs/job-files.ts';

/** Files that a statement or a reader works with: they stay where `localOf` says until `release`. */
export type HeldFiles = { readonly localOf: (path: string) => string; readonly release: () => void };

/** A part of a file, both ends included. */
export type ByteRange = { readonly start: number; readonly end: number };
export type ListedFile = { readonly path: string; readonly bytes: number; readonly at: Date };

/** What an answer says of a file. */
export type Described = { readonly mime: string; readonly name: string };

/** One attempt of a job: the fence tells it apart from attempts of other workers. */
export type Attempt = { readonly id: string; readonly fence: number };

/** What becomes of a job's files as it ends. */
export type JobFiles = {
  /** The slow part, before the transaction: the contents reach their place for good, and nobody sees them yet. */
  prepare(attempt: Attempt, files: readonly JobFile[]): Promise<void>;
  /** In the transaction that marks the end: nothing that waits for a disk or a network. It may be run again. */
  place(trx: Trx, attempt: Attempt, files: readonly JobFile[]): Promise<void>;
  /** After the commit. */
  settle(attempt: Attempt, files: readonly JobFile[]): Promise<void>;
  /** In any case, last: what was prepared and never placed. */
  discard(attempt: Attempt, files: readonly JobFile[]): Promise<void>;
};

/**
 * The files of all companies: in a folder (folder-store.ts), or in a bucket (bucket-store.ts). A file is named by its path as
 * catalogue/storage-paths.ts makes it, wherever it lies. Files whose names end with `.tmp` are work of this process on this machine
 * and no matter of the store, as are those that anybody can compute again.
 */
export type Store = JobFiles & {
  /** `trx`: who asks inside a transaction must not wait for a second connection, or all wait for each other. */
  has(path: string, trx?: Trx): Promise<boolean>;
  /** For programs that read files by their path; one that is not kept is left as it is, so that its reader says so. */
  hold(paths: readonly string[]): Promise<HeldFiles>;
  /** Ready to be sent; bytes that are not those put there are never sent to their end. @throws ENOENT where there is no such file */
  stream(path: string, range?: ByteRange): Promise<Readable>;
  /**
   * Where anybody can fetch the file for some minutes, as it is described; undefined where we send it ourselves, as everything that names
   * persons. @throws ENOENT where there is no such file
   */
  addressOf(path: string, as: Described): Promise<string | undefined>;
  /** Takes over a finished temporary file: it is kept for good when this resolves. */
  keep(temporary: string, path: string): Promise<void>;
  /** The same with what somebody sends, as it comes: about `expected` bytes. @throws 503 disk_full where there is no room for them */
  receive(path: string, content: AsyncIterable<Uint8Array>, expected?: number): Promise<void>;
  remove(paths: readonly string[]): Promise<void>;
  /** Everything below a folder, the folder as well. @throws where any of it is left */
  removeBelow(folder: string): Promise<void>;
  /** What is kept below a folder; no temporary files. */
  list(folder: string): Promise<ListedFile[]>;
  sizeOf(folders: readonly string[]): Promise<{ files: number; bytes: number }>;
  /**
   * For a company: removes what nothing leads to and is older than `before`, and gives the paths of files that are kept since before then
   * and are not there, or not as they were put.
   */
  tidy(company: string, before: Date): Promise<{ removed: number; lost: string[] }>;
};

/** Work with one file by its local path. */
export async function useFile<T>(store: Store, path: string, work: (local: string) => Promise<T>): Promise<T> {
  const held = await store.hold([path]);
  try {
    return await work(held.localOf(path));
  } finally {
    held.release();
  }
}

/** As Node says it. */
export const noSuchFile = (path: string): Error =>
  Object.assign(new Error(`ENOENT: no such file, open '${path}'`), { code: 'ENOENT' });
