import type { ImportRun } from '#feed/import/reader/import-run.ts';
import { Refusal } from '#feed/import/reader/refusal.ts';
import { countText } from '#feed/import/reader/limits.ts';
import { sizeText } from '#shared/values/size-text.ts';
import { refuseUnpacked } from '#feed/import/reader/archive/zip.ts';
import { warnOfOddRows } from './odd-rows.ts';
import { planTable, warnOfReading, type TablePlan } from './table-plan.ts';
import { TableRows } from './table-rows.ts';

/** Number of rows from which the table's shape is judged. */
export const PLAN_ROWS = 300;

/**
 * `headers`: column names known from elsewhere; all rows are data then. `skipLines`: rows up to this number are skipped.
 * `isPacked`: the rows may hold far more than the file they come from.
 */
type Known = { headers?: readonly string[] | undefined; skipLines?: number | undefined; isPacked?: boolean };

const charactersOf = (cells: readonly string[]): number => cells.reduce((sum, { length }) => sum + length, 0);

/** Rejects a row that is larger than allowed, with its beginning as the row's text. Returns whether it did. */
export function rejectLarge(run: ImportRun, cells: readonly string[], line: number): boolean {
  const { cell, record } = run.limits;
  const isLong = cells.some(({ length }) => length > cell);
  if (!isLong && charactersOf(cells) <= record) return false;
  run.rowsSeen += 1;
  const raw = cells.slice(0, 100).map((text) => text.slice(0, 10_000));
  const reason = `${isLong ? 'Eine Zelle' : 'Die Zeile'} ist größer als erlaubt (${sizeText(isLong ? cell : record)}).`;
  run.rejects.reject(line, reason, raw.join(';').slice(0, 10_000));
  return true;
}

/** Collects the first rows until the table's shape is clear, then passes all rows on. */
export class FirstRows {
  private readonly run: ImportRun;
  private readonly known: Known;
  private waiting: { cells: string[]; line: number }[] = [];
  private table: TableRows | undefined;
  plan: TablePlan | undefined;
  rows = 0;
  private characters = 0;

  constructor(run: ImportRun, known: Known = {}) {
    this.run = run;
    this.known = known;
  }

  add(cells: string[], line: number): void {
    this.rows += 1;
    if (line <= (this.known.skipLines ?? 0)) return;
    if (rejectLarge(this.run, cells, line)) return;
    if (this.known.isPacked) this.count(cells);
    if (this.table) this.table.record(cells, line, () => cells.join(';'));
    else {
      this.waiting.push({ cells, line });
      if (this.waiting.length >= PLAN_ROWS) this.settle();
    }
    this.run.progress.rows = this.run.rowsSeen;
  }

  /** Workbooks store a text once for any number of cells: a few kilobytes can expand to more than memory and disk hold. */
  private count(cells: readonly string[]): void {
    const { limits } = this.run;
    this.characters += charactersOf(cells);
    if (this.characters > limits.archiveBytes) refuseUnpacked(limits);
  }

  /** Whether there are rows below title lines and header; call it after the last row, before `settle`. */
  hasItems(): boolean {
    return this.table !== undefined || holdItems(this.run, this.waiting, this.known);
  }

  /** Call it after the last row: there may have been fewer rows than PLAN_ROWS. */
  settle(): TablePlan {
    if (this.plan) return this.plan;
    const rows = this.waiting;
    const plan = planOf(this.run, rows, this.known);
    warnOfReading(this.run.warnings, rows, plan);
    warnOfOddRows(this.run, rows, plan);
    plan.width = plan.headers.length;
    this.plan = plan;
    this.table = new TableRows(this.run, plan, true);
    for (const row of rows) this.table.record(row.cells, row.line, () => row.cells.join(';'));
    this.waiting = [];
    return plan;
  }
}

type Rows = readonly { readonly cells: string[] }[];

function planOf(run: ImportRun, rows: Rows, { headers, skipLines }: Known): TablePlan {
  if (headers)
    return {
      preamble: 0,
      header: false,
      headRows: 0,
      headers: [...headers],
      width: headers.length,
      excelTexts: new Set(),
    };
  const width = rows.reduce((most, row) => Math.max(most, row.cells.length), 0);
  const plan = planTable(rows, run.request.options.header, skipLines !== undefined, width);
  while (plan.headers.length < width) plan.headers.push('');
  return plan;
}

/** Whether the first rows of a table include rows below title lines and header. */
export function holdItems(run: ImportRun, rows: Rows, known: Known): boolean {
  const plan = planOf(run, rows, known);
  return rows.length > plan.preamble + plan.headRows;
}

/** Refuses a table that names the column of each cell, if it names one beyond the limit. */
export function refuseColumn(row: number): never {
  throw new Refusal(
    'too_many_columns',
    `Zeile ${countText(row)}: Die Tabelle hat zu viele Spalten. Es wurde nichts importiert.`,
    row,
  );
}
