import type { Columns } from './columns.ts';
import type { ImportLimits } from './limits.ts';
import type { Progress } from './progress.ts';
import type { RejectedRows } from './rejects.ts';
import type { ImportRequest } from './request.ts';
import type { Staging } from './staging.ts';
import type { Utf8File } from '#feed/import/reader/text/to-utf8.ts';
import type { Warnings } from './warnings.ts';

/** What all readers of one import share. */
export type ImportRun = {
  request: ImportRequest;
  limits: ImportLimits;
  folder: string;
  warnings: Warnings;
  rejects: RejectedRows;
  progress: Progress;
  columns: Columns;
  staging: Staging;
  /** Rows met so far, rejected ones included: the number of a row when there is no key. */
  rowsSeen: number;
  /** Adds to the share of the file that was read; may be called with the bytes of any pass over the data. */
  onBytes: (bytes: number) => void;
};

/** A text member of the import, already UTF-8. */
export type TextSource = Utf8File & { name: string };
