import fs from 'node:fs';
import path from 'node:path';
import type { Entry } from 'yauzl';
import type { DetectedFormat } from '#shared/import/schema.ts';
import type { ImportRun } from '#feed/import/reader/import-run.ts';
import { sizeText } from '#shared/values/size-text.ts';
import { Refusal } from '#feed/import/reader/refusal.ts';
import { planTable, warnOfReading, type TablePlan } from '#feed/import/reader/table/table-plan.ts';
import { TableRows } from '#feed/import/reader/table/table-rows.ts';
import type { DataFile } from '#feed/import/reader/archive/unpack.ts';
import { XmlEvents, type XmlHandler } from '#feed/import/reader/xml/xml-events.ts';
import {
  RelationsPart,
  SharedStringsPart,
  StylesPart,
  WorkbookPart,
  WorksheetPart,
  type SheetContext,
  type SheetEntry,
} from './xlsx-parts.ts';
import { UnpackMeter, unpackError, ZipArchive } from '#feed/import/reader/archive/zip.ts';

const planRows = 300;

/** The parts of one workbook, read one after the other within the archive limits. */
class Workbook {
  private readonly run: ImportRun;
  private readonly zip: ZipArchive;
  private readonly meter: UnpackMeter;

  constructor(run: ImportRun, zip: ZipArchive, packed: number) {
    this.run = run;
    this.zip = zip;
    this.meter = new UnpackMeter(run.limits, packed);
  }

  find(path: string): Entry | undefined {
    return this.zip.find(path);
  }

  first(pattern: RegExp): Entry | undefined {
    return this.zip.entries.find((entry) => pattern.test(entry.fileName));
  }

  async read<T extends XmlHandler>(entry: Entry | undefined, handler: T): Promise<T> {
    if (!entry) return handler;
    this.meter.announce(entry.uncompressedSize);
    const events = new XmlEvents(handler, this.run.limits, this.run.warnings);
    const decoder = new TextDecoder('utf-8');
    const stream = await this.zip.stream(entry);
    const share = Math.max(1, entry.compressedSize) / Math.max(1, entry.uncompressedSize);
    try {
      for await (const data of stream) {
        if (!Buffer.isBuffer(data)) continue;
        this.meter.add(data.length);
        events.feed(decoder.decode(data, { stream: true }));
        this.run.onBytes(data.length * share);
      }
      events.feed(decoder.decode());
      events.end();
    } catch (error) {
      throw unpackError(error);
    } finally {
      stream.destroy();
    }
    return handler;
  }
}

function sheetNames(sheets: readonly SheetEntry[]): string {
  return sheets
    .slice(0, 20)
    .map((sheet) => `„${sheet.name}“`)
    .join(', ');
}

/** The sheets to try, in order: the chosen one, or the visible ones (all when none is visible). */
function sheetsToRead(run: ImportRun, sheets: readonly SheetEntry[]): SheetEntry[] {
  const { sheet } = run.request.options;
  if (sheet === undefined) {
    const visible = sheets.filter((entry) => entry.visible);
    return visible.length > 0 ? visible : [...sheets];
  }
  const byName =
    sheets.find((entry) => entry.name === sheet) ??
    sheets.find((entry) => entry.name.trim().toLowerCase() === String(sheet).trim().toLowerCase());
  const found = byName ?? sheets[Number(sheet) - 1];
  if (found) return [found];
  throw new Refusal(
    'sheet_missing',
    `Das Tabellenblatt „${sheet}“ gibt es nicht. Es wurde nichts importiert. Vorhandene Blätter: ${sheetNames(sheets)}.`,
  );
}

/** Collects the first rows until the table's shape is clear, then passes rows on. */
class SheetRows {
  private readonly run: ImportRun;
  private waiting: { cells: string[]; line: number }[] = [];
  private table: TableRows | undefined;
  plan: TablePlan | undefined;
  rows = 0;

  constructor(run: ImportRun) {
    this.run = run;
  }

  add(cells: string[], line: number): void {
    this.rows += 1;
    if (line <= (this.run.request.options.skipLines ?? 0)) return;
    if (cells.some((cell) => cell.length > this.run.limits.cell)) {
      this.run.rowsSeen += 1;
      const reason = `Eine Zelle ist größer als erlaubt (${sizeText(this.run.limits.cell)}).`;
      this.run.rejects.reject(line, reason, cells.join(';').slice(0, 10_000));
      return;
    }
    if (this.table) this.table.record(cells, line, () => cells.join(';'));
    else {
      this.waiting.push({ cells, line });
      if (this.waiting.length >= planRows) this.settle();
    }
    this.run.progress.rows = this.run.rowsSeen;
  }

  settle(): void {
    if (this.table) return;
    const { header, skipLines } = this.run.request.options;
    const rows = this.waiting;
    const width = rows.reduce((most, row) => Math.max(most, row.cells.length), 0);
    const plan = planTable(rows, header, skipLines !== undefined, width);
    warnOfReading(this.run.warnings, rows, plan);
    while (plan.headers.length < width) plan.headers.push('');
    plan.width = plan.headers.length;
    this.plan = plan;
    this.table = new TableRows(this.run, plan, true);
    for (const row of rows) this.table.record(row.cells, row.line, () => row.cells.join(';'));
    this.waiting = [];
  }
}

async function readSheet(
  run: ImportRun,
  workbook: Workbook,
  entry: Entry,
  context: SheetContext,
): Promise<TablePlan | undefined> {
  const rows = new SheetRows(run);
  await workbook.read(entry, new WorksheetPart(context, (cells, line) => rows.add(cells, line)));
  if (rows.rows === 0) return undefined;
  rows.settle();
  return rows.plan;
}

/** Targets are relative to the folder of the workbook part, which need not be called xl. */
function partPath(book: Entry | undefined, target: string): string {
  const folder = path.posix.dirname(book?.fileName ?? 'xl/workbook.xml');
  return target.startsWith('/') ? target.slice(1) : path.posix.normalize(path.posix.join(folder, target));
}

/** An Excel workbook (.xlsx): the chosen sheet, or the first visible one that has data. */
export async function readXlsx(run: ImportRun, file: DataFile): Promise<DetectedFormat> {
  const zip = await ZipArchive.open(file.path, run.limits);
  try {
    const workbook = new Workbook(run, zip, fs.statSync(file.path).size);
    const bookEntry = workbook.find('xl/workbook.xml') ?? workbook.first(/workbook\.xml$/iu);
    const book = await workbook.read(bookEntry, new WorkbookPart());
    const relations = await workbook.read(workbook.first(/workbook\.xml\.rels$/iu), new RelationsPart());
    const styles = await workbook.read(workbook.first(/(^|\/)styles\.xml$/iu), new StylesPart());
    const shared = await workbook.read(workbook.first(/(^|\/)sharedStrings\.xml$/iu), new SharedStringsPart());
    const context = { strings: shared.strings, kinds: styles.kinds, date1904: book.date1904, limits: run.limits };
    for (const sheet of sheetsToRead(run, book.sheets)) {
      const target = relations.targets.get(sheet.relation)?.target ?? '';
      const entry = workbook.find(partPath(bookEntry, target)) ?? workbook.find(target);
      if (!entry || !/worksheet/iu.test(`${relations.targets.get(sheet.relation)?.type ?? ''} ${target}`)) continue;
      const plan = await readSheet(run, workbook, entry, context);
      if (!plan) continue;
      const sheets = book.sheets.map((each) => each.name);
      return {
        format: 'xlsx',
        sheet: sheet.name,
        sheets,
        header: plan.header,
        ...(plan.preamble > 0 ? { preamble: plan.preamble } : {}),
      };
    }
    throw new Refusal(
      'empty',
      `Kein Tabellenblatt der Excel-Datei enthält Daten. Es wurde nichts importiert. Blätter: ${sheetNames(book.sheets) || 'keine'}.`,
    );
  } finally {
    zip.close();
  }
}
