import fs from 'node:fs';
import path from 'node:path';
import type { Entry } from 'yauzl';
import type { DetectedFormat } from '#shared/import/schema.ts';
import type { ImportRun } from '#feed/import/reader/import-run.ts';
import { FirstRows } from '#feed/import/reader/table/first-rows.ts';
import type { TablePlan } from '#feed/import/reader/table/table-plan.ts';
import type { DataFile } from '#feed/import/reader/archive/unpack.ts';
import type { XmlHandler } from '#feed/import/reader/xml/xml-events.ts';
import { readXmlMember } from '#feed/import/reader/xml/xml-member.ts';
import {
  RelationsPart,
  SharedStringsPart,
  StylesPart,
  WorkbookPart,
  WorksheetPart,
  type SheetContext,
} from './xlsx-parts.ts';
import type { SheetNotes } from './sheet-notes.ts';
import { refuseEmptySheets, sheetsToRead, warnOfBareSheet, warnOfSheetsLeft } from './sheets.ts';
import { UnpackMeter, ZipArchive } from '#feed/import/reader/archive/zip.ts';
import type { DocumentSheet, OnSheetRow } from './sheet-passes.ts';

/** Most further sheets that are checked for cells, to warn about them. */
const mostLeft = 20;
const cellsBegin = 65_536;

type Reading = Pick<ImportRun, 'limits' | 'warnings' | 'onBytes'> & Pick<SheetContext, 'numberText'>;

/** Reads the parts of one workbook within the limits for archives. */
class Workbook {
  private readonly reading: Reading;
  private readonly zip: ZipArchive;
  private readonly meter: UnpackMeter;

  constructor(reading: Reading, zip: ZipArchive, packed: number) {
    this.reading = reading;
    this.zip = zip;
    this.meter = new UnpackMeter(reading.limits, packed);
  }

  find(path: string): Entry | undefined {
    return this.zip.find(path);
  }

  first(pattern: RegExp): Entry | undefined {
    return this.zip.entries.find((entry) => pattern.test(entry.fileName));
  }

  /** Whether the beginning of a sheet holds a value; a sheet without values is only a few lines long. */
  async holdsCells(entry: Entry): Promise<boolean> {
    const stream = await this.zip.stream(entry);
    let text = '';
    try {
      for await (const data of stream) {
        if (!Buffer.isBuffer(data)) continue;
        text += data.toString('latin1');
        if (text.length >= cellsBegin) break;
      }
    } catch {
      return false;
    } finally {
      stream.destroy();
    }
    return /<(?:\w+:)?(?:v|is)[\s>]/u.test(text);
  }

  async read<T extends XmlHandler>(entry: Entry | undefined, handler: T): Promise<T> {
    const { limits, warnings, onBytes } = this.reading;
    if (entry) await readXmlMember(this.zip, entry, handler, { limits, warnings, meter: this.meter, onBytes });
    return handler;
  }
}

type SheetRead = { name: string; rows: FirstRows; notes: SheetNotes };

/** Reads the rows of a sheet; they are staged only when settled. */
async function rowsOf(run: ImportRun, workbook: Workbook, entry: Entry, context: SheetContext) {
  const rows = new FirstRows(run, { skipLines: run.request.options.skipLines, isPacked: true });
  const part = new WorksheetPart(context, (cells, line) => rows.add(cells, line));
  await workbook.read(entry, part);
  return { rows, notes: part.notes };
}

/** Returns the plan of the sheet to import: the first with items, otherwise the first with any row. */
async function readSheets(
  run: ImportRun,
  sheets: AsyncIterable<SheetRead>,
): Promise<{ name: string; plan: TablePlan } | undefined> {
  let bare: SheetRead | undefined;
  const take = ({ name, rows, notes }: SheetRead) => {
    notes.tell(run.warnings);
    return { name, plan: rows.settle() };
  };
  for await (const sheet of sheets) {
    if (sheet.rows.rows === 0) continue;
    if (!sheet.rows.hasItems()) {
      bare ??= sheet;
      continue;
    }
    if (bare) warnOfBareSheet(run.warnings, bare.name, sheet.name);
    return take(sheet);
  }
  return bare && take(bare);
}

/** Returns the path of a part. Targets are relative to the folder of the workbook part, which need not be called xl. */
function partPath(book: Entry | undefined, target: string): string {
  const folder = path.posix.dirname(book?.fileName ?? 'xl/workbook.xml');
  return target.startsWith('/') ? target.slice(1) : path.posix.normalize(path.posix.join(folder, target));
}

/** `entry`: none if the sheet is a chart. */
type WorkbookSheet = { name: string; visible: boolean; entry: Entry | undefined };
type Opened = { workbook: Workbook; sheets: readonly WorkbookSheet[]; context: SheetContext };

/** Reads what all sheets share. */
async function openWorkbook(reading: Reading, zip: ZipArchive, packed: number): Promise<Opened> {
  const workbook = new Workbook(reading, zip, packed);
  const bookEntry = workbook.find('xl/workbook.xml') ?? workbook.first(/workbook\.xml$/iu);
  const book = await workbook.read(bookEntry, new WorkbookPart());
  const relations = await workbook.read(workbook.first(/workbook\.xml\.rels$/iu), new RelationsPart());
  const styles = await workbook.read(workbook.first(/(^|\/)styles\.xml$/iu), new StylesPart());
  const shared = await workbook.read(workbook.first(/(^|\/)sharedStrings\.xml$/iu), new SharedStringsPart());
  const sheets = book.sheets.map(({ name, visible, relation }) => {
    const { target = '', type = '' } = relations.targets.get(relation) ?? {};
    const entry = workbook.find(partPath(bookEntry, target)) ?? workbook.find(target);
    return { name, visible, entry: /worksheet/iu.test(`${type} ${target}`) ? entry : undefined };
  });
  const { limits, numberText } = reading;
  const context = { strings: shared.strings, kinds: styles.kinds, date1904: book.date1904, limits, numberText };
  return { workbook, sheets, context };
}

/** Reads all sheets of an Excel workbook (.xlsx), one after the other. `packed`: the file's size in bytes. */
export async function readWorksheets(
  reading: Reading,
  zip: ZipArchive,
  packed: number,
  onRow: OnSheetRow,
): Promise<(DocumentSheet & { notes: SheetNotes })[]> {
  const { workbook, sheets, context } = await openWorkbook(reading, zip, packed);
  const read: (DocumentSheet & { notes: SheetNotes })[] = [];
  for (const [at, { name, visible, entry }] of sheets.entries()) {
    let rows = 0;
    const part = new WorksheetPart(context, (cells, row) => {
      rows += 1;
      onRow(at, cells, row);
    });
    if (entry) await workbook.read(entry, part);
    read.push({ name, visible, rows, notes: part.notes });
  }
  return read;
}

/** Reads an Excel workbook (.xlsx): the chosen sheet, or the first visible one that has data. */
export async function readXlsx(run: ImportRun, file: DataFile): Promise<DetectedFormat> {
  const zip = await ZipArchive.open(file.path, run.limits);
  try {
    const { workbook, sheets, context } = await openWorkbook(run, zip, fs.statSync(file.path).size);
    const entries = sheetsToRead(run, sheets).flatMap(({ name, entry }) => (entry ? [{ name, entry }] : []));
    const sheetRows = async function* () {
      for (const { name, entry } of entries) yield { name, ...(await rowsOf(run, workbook, entry, context)) };
    };
    const read = await readSheets(run, sheetRows());
    if (!read) refuseEmptySheets(sheets);
    const { name, plan } = read;
    const left: string[] = [];
    for (const other of entries.slice(entries.findIndex((each) => each.name === name) + 1).slice(0, mostLeft))
      if (await workbook.holdsCells(other.entry)) left.push(other.name);
    warnOfSheetsLeft(run.warnings, name, left);
    return {
      format: 'xlsx',
      sheet: name,
      sheets: sheets.map((each) => each.name),
      header: plan.header,
      ...(plan.preamble > 0 ? { preamble: plan.preamble } : {}),
    };
  } finally {
    zip.close();
  }
}
