import { KontorError } from '#platform/errors.ts';
import type { UploadReader } from '#platform/http/bodies/read-uploaded.ts';
import type { SheetTable } from '#platform/http/bodies/workbook-upload.ts';

/** Reads workbooks that are uploaded as lists or orders, never on the thread that answers requests. */
export const workbookReader: UploadReader<SheetTable[]> = {
  module: new URL('./workbook-worker.ts', import.meta.url),
  tooLarge: (cause) =>
    new KontorError(
      413,
      'too_large',
      'Die Arbeitsmappe ist zu groß, um sie zu lesen. Es wurde nichts gespeichert. Bitte speichern Sie die Tabelle als CSV, oder teilen Sie sie.',
      { cause },
    ),
};
