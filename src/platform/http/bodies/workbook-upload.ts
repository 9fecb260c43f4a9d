import { KontorError } from '#platform/errors.ts';
import type { Principal } from '#platform/http/server.ts';
import { readUploaded, type UploadReader } from './read-uploaded.ts';

/** A sheet of a workbook as CSV, in UTF-8. */
export type SheetTable = { readonly sheet: string; readonly text: string };
/** `left`: sheets with data that were not read. */
export type UploadedTable<Read> = { readonly read: Read; readonly left?: { sheet: string; others: string[] } };
/** Knows how to read workbooks. */
export type WorkbookDeps = { readonly workbookReader: UploadReader<SheetTable[]> };

/** The first bytes of .xlsx and .ods, which are ZIP archives, and of .xls. */
const marks: readonly (readonly number[])[] = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];
/** Tells whether a file may be a workbook; any other ZIP archive counts too. */
export const isWorkbook = (bytes: Uint8Array): boolean =>
  marks.some((mark) => mark.every((byte, at) => bytes[at] === byte));

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

const MOST_NAMED = 10;

/** Returns a note for people on sheets that were not read. */
export function sheetsLeftNote({ left }: UploadedTable<unknown>): string[] {
  if (left === undefined) return [];
  const named = left.others.slice(0, MOST_NAMED).map((name) => `„${name}“`);
  const more = left.others.length > MOST_NAMED ? ` und ${left.others.length - MOST_NAMED} weiteren` : '';
  return [
    `Gelesen wurde das Tabellenblatt „${left.sheet}“. Daten stehen auch in ${named.join(', ')}${more}: Falls ein anderes gemeint ist, speichern Sie es bitte als eigene Datei und laden Sie diese hoch.`,
  ];
}
