import type { UploadReader } from '#platform/http/bodies/read-uploaded.ts';
import type { PackedFile, SheetTable } from '#platform/http/bodies/workbook-upload.ts';
import { workbookTooLarge } from './workbook-tables.ts';

/** Reads workbooks and ZIP archives that are uploaded as lists, orders or tables, never on the thread that answers requests. */
export const workbookReader: UploadReader<SheetTable[] | PackedFile> = {
  module: new URL('./workbook-worker.ts', import.meta.url),
  tooLarge: workbookTooLarge,
};
