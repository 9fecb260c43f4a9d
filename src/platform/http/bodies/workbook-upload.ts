import { constants, gunzipSync } from 'node:zlib';
import { KontorError } from '#platform/errors.ts';
import type { Principal } from '#platform/http/server.ts';
import { isWorkbook, sheetsLeftText } from '#shared/workbook/workbook.ts';
import { readUploaded, type UploadReader } from './read-uploaded.ts';

/**
 * A sheet of a workbook as CSV with semicolons. `marked`: the same with `NUMBER_MARK` behind numbers of three decimals; absent:
 * there are none. `notes`: texts for people on what it hides or lacks.
 */
export type SheetTable = {
  readonly sheet: string;
  readonly text: string;
  readonly marked?: string;
  readonly notes: readonly string[];
};
/** `notes`: texts for people on the sheet that was read, and on those that were not. */
export type UploadedTable<Read> = { readonly read: Read; readonly notes: readonly string[] };
/** The only file of a ZIP archive, a table or other text. */
export type PackedFile = { readonly name: string; readonly file: Uint8Array };
/** Knows how to read workbooks and ZIP archives. */
export type WorkbookDeps = { readonly workbookReader: UploadReader<SheetTable[] | PackedFile> };

/** Sheets that are tried until one is accepted. */
const MOST_TRIED = 5;
/** Codes with which a reader says that a sheet is something else, such as a cover; every other error is about its rows. */
const somethingElse: readonly string[] = ['no_columns', 'no_order', 'no_list'];

/**
 * Reads an uploaded file, of a ZIP archive the one in it; of a workbook the largest sheet that is no cover or explanation for `reader`. @throws what `reader`
 * throws; if it accepts no sheet, what it says of the largest
 */
export async function readUploadedTable<Read>(
  { workbookReader }: WorkbookDeps,
  reader: UploadReader<Read>,
  bytes: Uint8Array,
  principal: Principal,
  signal: AbortSignal,
): Promise<UploadedTable<Read>> {
  if (!isWorkbook(bytes) && !isGzippedWorkbook(bytes))
    return { read: await readUploaded(reader, bytes, principal, signal), notes: [] };
  const sheets = await readUploaded(workbookReader, bytes, principal, signal);
  if (!Array.isArray(sheets)) return { read: await readUploaded(reader, sheets.file, principal, signal), notes: [] };
  const isOneOfSeveral = sheets.length > 1;
  let refusal: unknown;
  for (const { sheet, text, marked, notes } of sheets.slice(0, MOST_TRIED)) {
    try {
      const csv = `sep=;\n${(reader.amounts === true ? marked : undefined) ?? text}`;
      const read = await readUploaded(reader, new TextEncoder().encode(csv), principal, signal);
      const others = sheets.map((one) => one.sheet).filter((name) => name !== sheet);
      return { read, notes: [...(isOneOfSeveral ? [sheetsLeftText(sheet, others)] : []), ...notes] };
    } catch (error) {
      if (!(error instanceof KontorError)) throw error;
      const named = isOneOfSeveral ? inSheet(sheet, error) : error;
      if (!somethingElse.includes(error.code)) throw named;
      refusal ??= named;
    }
  }
  throw refusal;
}

/** Looks into the beginning of a gz: unpacked, its first kilobyte is at most a megabyte. */
function isGzippedWorkbook(bytes: Uint8Array): boolean {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return false;
  try {
    return isWorkbook(gunzipSync(bytes.subarray(0, 1024), { finishFlush: constants.Z_SYNC_FLUSH }));
  } catch {
    // The reader of the file says what is wrong with it.
    return false;
  }
}

const inSheet = (sheet: string, error: KontorError) =>
  new KontorError(error.status, error.code, `Tabellenblatt „${sheet}“: ${error.message}`, {
    ...(error.fields && { fields: error.fields }),
    ...(error.retryAfter !== undefined && { retryAfter: error.retryAfter }),
    cause: error,
  });
