import type { DetectedFormat } from '#shared/import/schema.ts';
import type { ImportRun } from '#feed/import/reader/import-run.ts';
import { FirstRows, holdItems, PLAN_ROWS } from '#feed/import/reader/table/first-rows.ts';
import { Warnings } from '#feed/import/reader/warnings.ts';
import { refuseEmptySheets, sheetsToRead, warnOfBareSheet, warnOfSheetsLeft } from './sheets.ts';

/** A sheet; `rows`: number of rows with any value. */
export type DocumentSheet = { name: string; visible: boolean; rows: number };
/** Receives a row. `sheet`: number of its sheet from 0. */
export type OnSheetRow = (sheet: number, cells: string[], row: number) => void;

/** Reads the whole document once; returns its sheets. */
type Pass = (
  onRow: OnSheetRow,
  warnings: Warnings,
  onBytes: (bytes: number) => void,
) => Promise<readonly DocumentSheet[]>;

/** Finds the sheets that hold more than a title and a header. Keeps rows only of the sheet being read. */
class SheetsWithItems {
  private readonly run: ImportRun;
  private readonly skipLines: number | undefined;
  private readonly found = new Set<number>();
  private sheet = 0;
  private rows: { cells: string[] }[] = [];

  constructor(run: ImportRun, skipLines: number | undefined) {
    this.run = run;
    this.skipLines = skipLines;
  }

  readonly add: OnSheetRow = (sheet, cells, row) => {
    if (sheet !== this.sheet) this.end();
    this.sheet = sheet;
    if (row > (this.skipLines ?? 0) && this.rows.length < PLAN_ROWS) this.rows.push({ cells });
  };

  /** Call it after the last row: returns the numbers of the sheets found. */
  end(): ReadonlySet<number> {
    if (holdItems(this.run, this.rows, { skipLines: this.skipLines })) this.found.add(this.sheet);
    this.rows = [];
    return this.found;
  }
}

/**
 * Reads one sheet of a document that stores its sheets one after the other. A first pass finds the sheet, the chosen one or the
 * first visible one with items; a second pass reads it.
 */
export async function readSheetOf(run: ImportRun, pass: Pass): Promise<DetectedFormat> {
  const { skipLines } = run.request.options;
  const first = new SheetsWithItems(run, skipLines);
  const sheets = await pass(first.add, new Warnings(), () => run.progress.beat());
  const withItems = first.end();
  const filled = sheetsToRead(run, sheets).filter(({ rows }) => rows > 0);
  const sheet = filled.find((one) => withItems.has(sheets.indexOf(one))) ?? filled[0];
  if (!sheet) refuseEmptySheets(sheets);
  if (filled[0] && filled[0] !== sheet) warnOfBareSheet(run.warnings, filled[0].name, sheet.name);
  warnOfSheetsLeft(
    run.warnings,
    sheet.name,
    filled.slice(filled.indexOf(sheet) + 1).map(({ name }) => name),
  );
  const chosen = sheets.indexOf(sheet);
  const rows = new FirstRows(run, { skipLines, isPacked: true });
  const add: OnSheetRow = (at, cells, row) => {
    if (at === chosen) rows.add(cells, row);
  };
  await pass(add, run.warnings, run.onBytes);
  rows.settle();
  const preamble = rows.plan?.preamble ?? 0;
  return {
    format: 'xlsx',
    sheet: sheet.name,
    sheets: sheets.map(({ name }) => name),
    header: rows.plan?.header ?? true,
    ...(preamble > 0 ? { preamble } : {}),
  };
}
