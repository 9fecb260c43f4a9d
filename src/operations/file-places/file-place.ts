import type { NewRow } from '#platform/storage/stored-rows.ts';

/** A file that goes to another place: under this key, if that place has keys and it had one before. */
export type FileToPut = {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly object?: string | undefined;
};

/** Where files of an installation are brought: its data folder, or a bucket. */
export type FilePlace = {
  /** '' for the data folder, or the bucket as the operator names it. */
  readonly name: string;
  /** What lies there already, but for names that `except` fits; undefined: nothing. */
  firstFile(except?: RegExp): Promise<string | undefined>;
  /** Whether these very bytes lie there; others under this name are removed. They are read. */
  has(file: FileToPut): Promise<boolean>;
  /**
   * Writes a file and reads it again. Gives its row, where the place needs one.
   * @throws file_changed where other bytes came or lie there now
   */
  put(file: FileToPut, content: () => AsyncIterable<Uint8Array>): Promise<NewRow | undefined>;
  /** All of it is on the disk, names as well. */
  end(): Promise<void>;
  close(): Promise<void>;
};
