import fs from 'node:fs';
import type { DetectedFormat } from '#shared/import/schema.ts';
import { sizeText } from '#shared/values/size-text.ts';
import { type DataFile, refuseForeign } from '#feed/import/reader/archive/unpack.ts';
import { UnpackMeter } from '#feed/import/reader/archive/zip.ts';
import type { ImportLimits } from '#feed/import/reader/limits.ts';
import type { ImportRun } from '#feed/import/reader/import-run.ts';
import { Refusal } from '#feed/import/reader/refusal.ts';
import { SheetNotes } from '#feed/import/reader/xlsx/sheet-notes.ts';
import { type DocumentSheet, type OnSheetRow, readSheetOf } from '#feed/import/reader/xlsx/sheet-passes.ts';
import { CompoundFile, refuseBroken } from './compound-file.ts';
import { readSheet } from './xls-sheet.ts';
import { readWorkbook, refuseLocked, type XlsWorkbook } from './xls-workbook.ts';

/** Size limit in bytes, as the file is read as a whole. 65,536 rows of 100 filled cells are no larger. */
const mostBytes = 100 * 1024 * 1024;

/** Reads an Excel workbook of 1993 to 2003 (.xls): the chosen sheet, or the first visible one that has data. */
export async function readXls(run: ImportRun, file: DataFile): Promise<DetectedFormat> {
  const { size } = fs.statSync(file.path);
  if (size > mostBytes) refuseLarge();
  const book = openXls(fs.readFileSync(file.path));
  let read: ReturnType<typeof readXlsSheets> = [];
  const format = await readSheetOf(run, async (onRow, _warnings, onBytes) => {
    read = readXlsSheets(run.limits, book, onRow);
    onBytes(size);
    return read;
  });
  read.find(({ name }) => name === format.sheet)?.notes.tell(run.warnings);
  return format;
}

type OpenedXls = { size: number; stream: Buffer; workbook: XlsWorkbook };

/** Reads what all sheets of an .xls file share. @throws Refusal if the file is another old Office document, or locked */
export function openXls(file: Buffer): OpenedXls {
  const stream = workbookStream(new CompoundFile(file));
  return { size: file.length, stream, workbook: readWorkbook(stream) };
}

/** Reads all sheets of an .xls file, one after the other. */
export function readXlsSheets(
  limits: ImportLimits,
  { size, stream, workbook }: OpenedXls,
  onRow: OnSheetRow,
): (DocumentSheet & { notes: SheetNotes })[] {
  const meter = new UnpackMeter(limits, size);
  let walked = 0;
  return workbook.sheets.map(({ name, visible, start }, at) => {
    const notes = new SheetNotes();
    const { rows, bytes } = readSheet(stream, start, workbook, notes);
    // Sheets follow one another. A file in which they overlap would be read again and again.
    walked += bytes;
    if (walked > stream.length) refuseBroken();
    for (const { cells, row } of rows) {
      // A text that many cells share is stored once in the file.
      meter.add(cells.reduce((sum, cell) => sum + cell.length + 1, 0));
      onRow(at, cells, row);
    }
    return { name, visible, rows: rows.length, notes };
  });
}

function workbookStream(file: CompoundFile): Buffer {
  if (file.stream('EncryptedPackage')) refuseLocked();
  const stream = file.stream('Workbook') ?? file.stream('Book');
  return stream ?? refuseForeign('ein altes Office-Dokument, aber keine Excel-Tabelle (.xls)');
}

function refuseLarge(): never {
  throw new Refusal(
    'xls_too_large',
    `Excel-Dateien (.xls) werden nur bis ${sizeText(mostBytes)} gelesen. Es wurde nichts importiert. Bitte speichern Sie die Datei als .xlsx oder CSV.`,
  );
}
