import type { SheetTable } from '#platform/http/bodies/workbook-upload.ts';
import { unprocessable } from '#platform/errors.ts';
import { workbookKind } from '#feed/import/reader/archive/unpack.ts';
import { ZipArchive } from '#feed/import/reader/archive/zip.ts';
import { defaultLimits } from '#feed/import/reader/limits.ts';
import { readOdsSheets } from '#feed/import/reader/ods/ods-read.ts';
import { Refusal } from '#feed/import/reader/refusal.ts';
import { readSignature } from '#feed/import/reader/signature.ts';
import { Warnings } from '#feed/import/reader/warnings.ts';
import { openXls, readXlsSheets } from '#feed/import/reader/xls/xls-read.ts';
import type { DocumentSheet, OnSheetRow } from '#feed/import/reader/xlsx/sheet-passes.ts';
import { readWorksheets } from '#feed/import/reader/xlsx/xlsx-read.ts';

type Row = { row: number; cells: string[] };

/** Unpacked, the sheets of a workbook of categories or orders are far smaller than those of a catalogue. */
const limits = { ...defaultLimits, archiveBytes: 512 * 1024 * 1024 };

/**
 * Returns the visible sheets of a workbook (.xlsx, .xls, .ods) as CSV with the row numbers that Excel shows, the one with most
 * cells first: a cover sheet is smaller than the table. @throws KontorError if it is no workbook, broken, locked or empty
 */
export async function workbookTables(bytes: Uint8Array): Promise<SheetTable[]> {
  const rows: Row[][] = [];
  const sheets = await readSheets(Buffer.from(bytes), (sheet, cells, row) => {
    (rows[sheet] ??= []).push({ row, cells });
  }).catch((error: unknown) => {
    throw error instanceof Refusal ? unprocessable('unreadable', error.message) : error;
  });
  const filled = sheets.flatMap(({ name, visible }, at) => ({ name, visible, rows: rows[at] ?? [] }));
  const shown = filled.filter((sheet) => sheet.visible && sheet.rows.length > 0);
  if (shown.length === 0) throw unprocessable('empty', emptyText);
  const cellsOf = (sheet: { rows: Row[] }) => sheet.rows.reduce((sum, { cells }) => sum + cells.length, 0);
  return shown
    .toSorted((a, b) => cellsOf(b) - cellsOf(a))
    .map((sheet) => ({ sheet: sheet.name, text: csvOf(sheet.rows) }));
}

const emptyText =
  'Kein sichtbares Tabellenblatt der Arbeitsmappe enthält Daten. Es wurde nichts gespeichert. Bitte wählen Sie die Datei mit der Tabelle.';
const archiveText =
  'Die Datei ist ein ZIP-Archiv, aber keine Arbeitsmappe. Es wurde nichts gespeichert. Bitte entpacken Sie das Archiv und wählen Sie die Datei, die darin liegt.';

async function readSheets(file: Buffer, onRow: OnSheetRow): Promise<readonly DocumentSheet[]> {
  const reading = { limits, warnings: new Warnings(), onBytes: () => undefined };
  if (readSignature(file).kind === 'compound') return readXlsSheets(limits, openXls(file), onRow).sheets;
  const zip = await ZipArchive.open(file, limits);
  try {
    const kind = await workbookKind(zip);
    if (kind === undefined) throw unprocessable('unreadable', archiveText);
    if (kind === 'ods') return (await readOdsSheets(reading, zip, file.length, onRow)).sheets;
    return await readWorksheets(reading, zip, file.length, onRow);
  } finally {
    zip.close();
  }
}

/** A row far below the others is usually a forgotten cell. */
const MOST_EMPTY_ROWS = 1000;

/** Returns rows as CSV; empty rows stay, so that a message names the row that Excel shows. */
function csvOf(rows: readonly Row[]): string {
  const isOneColumn = rows.every(({ cells }) => cells.length === 1);
  const lineOf = (cells: readonly string[]) => (isOneColumn ? inOneLine(cells[0] ?? '') : cells.map(quoted).join(';'));
  let last = 0;
  return rows
    .map(({ row, cells }) => {
      const empty = Math.min(Math.max(0, row - last - 1), MOST_EMPTY_ROWS);
      last = row;
      return '\n'.repeat(empty) + lineOf(cells);
    })
    .join('\n');
}

/** All cells are quoted, so that only delimiters look like delimiters. */
const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
/** A list of one column may be lines like 'id - A > B'; quoted, they would not be recognised. */
const inOneLine = (cell: string): string => cell.replaceAll(/[\r\n]+/g, ' ');
