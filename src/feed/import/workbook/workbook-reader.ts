import type { UploadReader } from '#platform/http/bodies/read-uploaded.ts';
import type { SheetTable } from '#platform/http/bodies/workbook-upload.ts';
import { workbookTooLarge } from './workbook-tables.ts';

/** Reads workbooks that are uploaded as lists, orders or tables, never on the thread that answers requests. */
export const workbookReader: UploadReader<SheetTable[]> = {
  module: new URL('./workbook-worker.ts', import.meta.url),
  tooLarge: workbookTooLarge,
};
