import type { NewRow } from '#platform/storage/stored-rows.ts';

/** A file to write to another place; `object`: the key it had in a bucket before, and gets again if the place has keys. */
export type FileToPut = {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly object?: string | undefined;
};

/** A target for an installation's files: its data folder, or a bucket. */
export type FilePlace = {
  /** '' for the data folder, or the bucket as the operator names it. */
  readonly name: string;
  /** Returns the name of a file that is there already, except names that `except` matches; undefined: there is none. */
  firstFile(except?: RegExp): Promise<string | undefined>;
  /** Whether a file with these bytes is there, by reading it; a different file under this name is removed. */
  has(file: FileToPut): Promise<boolean>;
  /**
   * Writes a file and reads it back. Returns its row, if the place needs one.
   * @throws file_changed if the read or the stored bytes differ
   */
  put(file: FileToPut, content: () => AsyncIterable<Uint8Array>): Promise<NewRow | undefined>;
  /** Waits until everything is on the disk, including directory entries. */
  end(): Promise<void>;
  close(): Promise<void>;
};
