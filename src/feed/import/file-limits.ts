import { sizeText } from '#shared/values/size-text.ts';
import { KontorError } from '#platform/errors.ts';

const gigabyte = 1024 ** 3;

/** How large a file may be that an import reads, in bytes. */
export type FileLimits = {
  readonly uploaded: number;
  /** From an address; counted after a packed transfer was unpacked. */
  readonly fetched: number;
  /** All that an archive holds. */
  readonly unpacked: number;
};

/** `set`: what the installation allows (KONTOR_IMPORT_GB), however a file comes; undefined: the usual. */
export const fileLimits = (set: number | undefined): FileLimits =>
  set === undefined
    ? { uploaded: 2 * gigabyte, fetched: 4 * gigabyte, unpacked: 2 * gigabyte }
    : { uploaded: set, fetched: set, unpacked: set };

/** How long the largest upload may take: the 800 s of the specification, and for more than the usual size as long at the same pace. */
export const uploadMs = ({ uploaded }: FileLimits): number => 800_000 * Math.max(1, uploaded / (2 * gigabyte));

/** What is said of a file that is larger; packing it would not help, since what it holds has a limit, too. */
export const fileTooLarge = (status: 413 | 422, most: number): KontorError =>
  new KontorError(
    status,
    'too_large',
    `Die Datei ist größer als ${sizeText(most)}, mehr nimmt diese Installation nicht an. Es wurde nichts importiert, der bisherige Stand bleibt. Bitte teilen Sie die Datei, lassen Sie Felder weg, die Sie nicht brauchen, oder bitten Sie den Betreiber um eine höhere Grenze.`,
  );
