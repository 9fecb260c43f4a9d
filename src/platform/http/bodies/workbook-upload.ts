import { KontorError } from '#platform/errors.ts';
import type { Principal } from '#platform/http/server.ts';
import { isWorkbook, sheetsLeftText } from '#shared/workbook/workbook.ts';
import { readUploaded, type UploadReader } from './read-uploaded.ts';

/** A sheet of a workbook as CSV, in UTF-8. */
export type SheetTable = { readonly sheet: string; readonly text: string };
/** `left`: sheets with data that were not read. */
export type UploadedTable<Read> = { readonly read: Read; readonly left?: { sheet: string; others: string[] } };
/** Knows how to read workbooks. */
export type WorkbookDeps = { readonly workbookReader: UploadReader<SheetTable[]> };

/** Sheets that are tried until one is accepted. */
const MOST_TRIED = 5;

/**
 * Reads an uploaded file; of a workbook the largest sheet that `reader` accepts. @throws what `reader` throws; for a workbook what
 * it says of the largest sheet
 */
export async function readUploadedTable<Read>(
  { workbookReader }: WorkbookDeps,
  reader: UploadReader<Read>,
  bytes: Uint8Array,
  principal: Principal,
  signal: AbortSignal,
): Promise<UploadedTable<Read>> {
  if (!isWorkbook(bytes)) return { read: await readUploaded(reader, bytes, principal, signal) };
  const sheets = await readUploaded(workbookReader, bytes, principal, signal);
  let refusal: unknown;
  for (const { sheet, text } of sheets.slice(0, MOST_TRIED)) {
    try {
      const read = await readUploaded(reader, new TextEncoder().encode(text), principal, signal);
      const others = sheets.map((one) => one.sheet).filter((name) => name !== sheet);
      return others.length === 0 ? { read } : { read, left: { sheet, others } };
    } catch (error) {
      if (!(error instanceof KontorError) || error.status >= 500) throw error;
      refusal ??= sheets.length === 1 ? error : inSheet(sheet, error);
    }
  }
  throw refusal;
}

const inSheet = (sheet: string, error: KontorError) =>
  new KontorError(error.status, error.code, `Tabellenblatt „${sheet}“: ${error.message}`, { cause: error });

/** Returns a note for people on sheets that were not read, if there are any. */
export const sheetsLeftNote = ({ left }: UploadedTable<unknown>): string[] =>
  left === undefined ? [] : [sheetsLeftText(left.sheet, left.others)];
