import { sizeText } from '#shared/values/size-text.ts';
import { KontorError } from '#platform/errors.ts';

const gigabyte = 1024 ** 3;

/** Largest sizes of an import, in bytes. */
export type FileLimits = {
  readonly uploaded: number;
  /** A file downloaded from an address; counted after a compressed transfer was unpacked. */
  readonly fetched: number;
  /** Everything inside an archive together. */
  readonly unpacked: number;
  /** A file that one process reads as a whole; a larger CSV file that was uploaded in pieces is read in parts (parts/). */
  readonly whole: number;
};

/**
 * Returns the limits. `set`: the installation's limit (KONTOR_IMPORT_GB) for every kind of transfer; undefined: the defaults.
 * `whole`: KONTOR_IMPORT_PARTS_ABOVE_GB.
 */
export const fileLimits = (set: number | undefined, whole: number): FileLimits =>
  set === undefined
    ? { uploaded: 2 * gigabyte, fetched: 4 * gigabyte, unpacked: 2 * gigabyte, whole }
    : { uploaded: set, fetched: set, unpacked: set, whole };

/** Returns the time limit of an upload in ms: the 800 s of the specification, more in proportion above the default limit. */
export const uploadMs = ({ uploaded }: FileLimits): number => 800_000 * Math.max(1, uploaded / (2 * gigabyte));

/** The error for a file that is too large. It does not suggest compressing the file: the unpacked content is limited, too. */
export const fileTooLarge = (status: 413 | 422, most: number): KontorError =>
  new KontorError(
    status,
    'too_large',
    `Die Datei ist größer als ${sizeText(most)}, mehr nimmt diese Installation nicht an. Es wurde nichts importiert, der bisherige Stand bleibt. Bitte teilen Sie die Datei, lassen Sie Felder weg, die Sie nicht brauchen, oder bitten Sie den Betreiber um eine höhere Grenze.`,
  );
