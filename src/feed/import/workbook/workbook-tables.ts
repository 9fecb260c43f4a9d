import { KontorError, unprocessable } from '#platform/errors.ts';
import type { SheetTable } from '#platform/http/bodies/workbook-upload.ts';
import { NUMBER_MARK } from '#shared/workbook/workbook.ts';
import { workbookKind } from '#feed/import/reader/archive/unpack.ts';
import { ZipArchive } from '#feed/import/reader/archive/zip.ts';
import { defaultLimits } from '#feed/import/reader/limits.ts';
import { readOdsSheets } from '#feed/import/reader/ods/ods-read.ts';
import { Refusal } from '#feed/import/reader/refusal.ts';
import { readSignature } from '#feed/import/reader/signature.ts';
import { Warnings } from '#feed/import/reader/warnings.ts';
import { openXls, readXlsSheets } from '#feed/import/reader/xls/xls-read.ts';
import type { SheetNotes } from '#feed/import/reader/xlsx/sheet-notes.ts';
import type { DocumentSheet, OnSheetRow } from '#feed/import/reader/xlsx/sheet-passes.ts';
import { readWorksheets } from '#feed/import/reader/xlsx/xlsx-read.ts';
import { unpackedWorkbook } from './packed-workbook.ts';

/** Unpacked, the sheets of a workbook of categories or orders are far smaller than those of a catalogue. */
const limits = { ...defaultLimits, archiveBytes: 512 * 1024 * 1024 };
/** Characters of all sheets as CSV. Many cells may show one long text that the file stores once. */
const MOST_CHARACTERS = 48 * 1024 * 1024;

type Sheet = DocumentSheet & { notes: SheetNotes };

/**
 * Returns the visible sheets of a workbook (.xlsx, .xls, .ods; also in a gz or ZIP) as CSV with the row numbers that Excel shows,
 * the one with most cells first: a cover sheet is smaller than the table.
 * @throws KontorError if it is no workbook, broken, locked, empty or too large
 */
export async function workbookTables(bytes: Uint8Array): Promise<SheetTable[]> {
  const tables = new Map<number, CsvOfSheet>();
  let characters = 0;
  const sheets = await readSheets(Buffer.from(bytes), (sheet, cells, row) => {
    const table = tables.get(sheet) ?? new CsvOfSheet();
    tables.set(sheet, table);
    characters += table.add(cells, row);
    if (characters > MOST_CHARACTERS) throw workbookTooLarge();
  }).catch((error: unknown) => {
    throw error instanceof Refusal ? refusalOf(error) : error;
  });
  const shown = sheets
    .map(({ name, visible, notes }, at) => ({ name, visible, notes, table: tables.get(at) }))
    .flatMap(({ table, ...sheet }) => (sheet.visible && table !== undefined ? [{ ...sheet, table }] : []));
  if (shown.length === 0) throw unprocessable('empty', emptyText);
  return shown
    .toSorted((a, b) => b.table.cells - a.table.cells)
    .map(({ name, notes, table }) => {
      const marked = table.text();
      const text = marked.includes(NUMBER_MARK) ? marked.replaceAll(marks, '') : marked;
      return { sheet: name, text, ...(text !== marked && { marked }), notes: textsOf(notes) };
    });
}

const numberText = (text: string): string => (/^-?\d{1,3}\.\d{3}$/.test(text) ? text + NUMBER_MARK : text);
const marks = new RegExp(`(?<=\\.\\d{3})${NUMBER_MARK}(?="|$)`, 'gm');

export const workbookTooLarge = (cause?: unknown) =>
  new KontorError(
    413,
    'too_large',
    'Die Arbeitsmappe ist zu groß, um sie zu lesen. Es wurde nichts gespeichert. Bitte speichern Sie die Tabelle als CSV, oder teilen Sie sie.',
    { cause },
  );

const emptyText =
  'Kein sichtbares Tabellenblatt der Arbeitsmappe enthält Daten. Es wurde nichts gespeichert. Bitte wählen Sie die Datei mit der Tabelle.';
const brokenText =
  'Die Arbeitsmappe ist beschädigt oder unvollständig. Es wurde nichts gespeichert. Bitte öffnen Sie sie in Ihrer Tabellenkalkulation, speichern Sie sie neu, und versuchen Sie es noch einmal.';

/** The words of imports are about archives of catalogues. */
function refusalOf({ code, message }: Refusal): KontorError {
  if (/^(?:archive_ratio|archive_too_large|x\w+_too_large)$/.test(code)) return workbookTooLarge();
  return unprocessable('unreadable', /^(?:zip_|archive_|xls_broken|xml_)/.test(code) ? brokenText : message);
}

async function readSheets(uploaded: Buffer, onRow: OnSheetRow): Promise<readonly Sheet[]> {
  const file = await unpackedWorkbook(uploaded, limits);
  const reading = { limits, warnings: new Warnings(), onBytes: () => undefined, numberText };
  if (readSignature(file).kind === 'compound') return readXlsSheets(limits, openXls(file), onRow);
  const zip = await ZipArchive.open(file, limits);
  try {
    if ((await workbookKind(zip)) === 'ods') return (await readOdsSheets(reading, zip, file.length, onRow)).sheets;
    return await readWorksheets(reading, zip, file.length, onRow);
  } finally {
    zip.close();
  }
}

function textsOf(notes: SheetNotes): string[] {
  const warnings = new Warnings();
  notes.tell(warnings);
  return warnings.list().map(({ message }) => message);
}

/** A row far below the others is usually a forgotten cell. */
const MOST_EMPTY_ROWS = 1000;

/** The rows of a sheet as CSV; empty rows stay, so that a message names the row that Excel shows. */
class CsvOfSheet {
  cells = 0;
  private readonly rows: { empty: number; cells: string[] }[] = [];
  private last = 0;

  /** Returns the number of characters that the row adds. */
  add(cells: string[], row: number): number {
    // Numbers that go back, as no program writes them, leave no empty rows again and again.
    const empty = Math.min(Math.max(0, row - this.last - 1), MOST_EMPTY_ROWS);
    this.last = Math.max(this.last, row);
    this.rows.push({ empty, cells });
    this.cells += cells.length;
    return cells.reduce((sum, cell) => sum + cell.length + 3, empty);
  }

  text(): string {
    const isOneColumn = this.rows.every(({ cells }) => cells.length === 1);
    const lineOf = (cells: readonly string[]) =>
      isOneColumn ? inOneLine(cells[0] ?? '') : cells.map(quoted).join(';');
    return this.rows.map(({ empty, cells }) => '\n'.repeat(empty) + lineOf(cells)).join('\n');
  }
}

/** All cells are quoted, so that only delimiters look like delimiters. */
const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
/** A list of one column may be lines like 'id - A > B'; quoted, they would not be recognised. */
const inOneLine = (cell: string): string => cell.replaceAll(/[\r\n]+/g, ' ');
