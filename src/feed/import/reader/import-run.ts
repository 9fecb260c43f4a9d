import type { Columns } from './columns.ts';
import type { ImportLimits } from './limits.ts';
import type { Progress } from './progress.ts';
import type { RejectedRows } from './rejects.ts';
import type { ImportRequest } from './request.ts';
import type { Staging } from './staging.ts';
import type { Utf8File } from '#feed/import/reader/text/to-utf8.ts';
import type { Warnings } from './warnings.ts';

/** State that all readers of one import share. */
export type ImportRun = {
  request: ImportRequest;
  limits: ImportLimits;
  folder: string;
  warnings: Warnings;
  rejects: RejectedRows;
  progress: Progress;
  columns: Columns;
  staging: Staging;
  /** Rows read so far, including rejected ones: the row number serves as id when there is no key. */
  rowsSeen: number;
  /** Adds bytes to the progress of the file; may be called with the bytes of any pass over the data. */
  onBytes: (bytes: number) => void;
};

/** A text file of the import, already converted to UTF-8. */
export type TextSource = Utf8File & { name: string };
