import { countText } from '#feed/import/reader/limits.ts';
import type { ImportRun } from '#feed/import/reader/import-run.ts';
import { textOfFormula } from './excel-texts.ts';
import { filledCells } from './title-lines.ts';
import type { TablePlan } from './table-plan.ts';

/** Whether a row ends early and begins like a comment: `# ab hier neu`. An item may be called #1001. */
const isComment = ([first = '', ...others]: readonly string[]): boolean =>
  (others.length === 0 && /^\s*(?:#|\/\/)/u.test(first)) || /^\s*(?:#+|\/\/)\s/u.test(first);

const SHORT_ROWS = 'short_rows';

/**
 * Receives the records of a table (CSV, worksheet, HTML table) and passes its data rows to the staging: title lines and header
 * are skipped, short rows are accepted, rows with surplus values are rejected (or, where `grow` is set, their surplus cells get
 * nameless columns).
 */
export class TableRows {
  private readonly run: ImportRun;
  private readonly plan: TablePlan;
  private readonly grow: boolean;
  private readonly targets: number[];
  private inPlace: boolean;
  private toSkip: number;
  private extra = 0;
  lastWasShort = false;
  lastLine = 0;

  constructor(run: ImportRun, plan: TablePlan, grow: boolean) {
    this.run = run;
    this.plan = plan;
    this.grow = grow;
    this.targets = run.columns.forHeader(plan.headers);
    this.inPlace = this.targets.every((target, index) => target === index);
    this.toSkip = plan.preamble + plan.headRows;
  }

  /** Whether the next record is a title or the header. */
  get isHead(): boolean {
    return this.toSkip > 0;
  }

  /** Whether a cell of the next record is an Excel formula of which only the text is imported. */
  unwraps(cells: readonly string[], column: number): boolean {
    const taken = this.isHead || this.plan.excelTexts.has(column);
    return taken && textOfFormula(cells[column] ?? '') !== undefined;
  }

  /** Handles the next record. `raw` is called only when the record is rejected. */
  record(cells: string[], line: number, raw: () => string): void {
    if (this.isHead) {
      this.toSkip -= 1;
      return;
    }
    const { run, plan } = this;
    run.rowsSeen += 1;
    const noItem = this.whyNoItem(cells);
    if (noItem !== undefined) {
      run.rejects.reject(line, noItem, raw());
      return;
    }
    const isShort = cells.length < plan.width;
    const isNote = isShort && isComment(cells);
    this.lastWasShort = isShort && !isNote;
    this.lastLine = line;
    if (isNote) this.countComment(cells[0] ?? '', line);
    else if (isShort) this.countShort(line);
    else if (cells.length > plan.width && !this.fits(cells)) {
      const reason = `Die Zeile hat ${countText(cells.length)} Zellen, die Datei aber nur ${countText(plan.width)} Spalten.`;
      run.rejects.reject(line, reason, raw());
      return;
    }
    for (const column of plan.excelTexts) cells[column] = textOfFormula(cells[column] ?? '') ?? cells[column] ?? '';
    run.staging.add(this.placed(cells), line, run.rowsSeen);
  }

  /** Returns why a row is no item; undefined for tables of one column, where nothing shows it. */
  private whyNoItem(cells: readonly string[]): string | undefined {
    if (this.plan.headers.length < 2) return undefined;
    if (cells.every((cell) => /^ *$/u.test(cell))) return 'Die Zeile enthält keinen Wert.';
    return this.isHeader(cells) ? 'Die Zeile wiederholt die Kopfzeile.' : undefined;
  }

  /** Concatenated exports repeat their header, some with a byte order mark. */
  private isHeader(cells: readonly string[]): boolean {
    const { header, headers } = this.plan;
    const nameAt = (column: number) => (column === 0 ? cells[0]?.replace(/^\ufeff/u, '') : cells[column]) ?? '';
    if (!header || nameAt(0) !== headers[0]) return false;
    return filledCells({ cells }) >= 2 && headers.every((name, column) => nameAt(column) === name);
  }

  private placed(cells: string[]): string[] {
    if (this.inPlace) return cells;
    const row: string[] = [];
    for (let index = 0; index < this.run.columns.count; index += 1) row.push('');
    cells.forEach((cell, index) => {
      const target = this.targets[index];
      if (target !== undefined) row[target] = cell;
    });
    return row;
  }

  private fits(cells: string[]): boolean {
    const { width } = this.plan;
    while (cells.length > width + this.extra && cells.at(-1) === '') cells.pop();
    if (cells.length <= width + this.extra) return true;
    if (!this.grow) return false;
    const nameless = this.plan.headers.filter((header) => header === '').length;
    while (cells.length > width + this.extra) {
      const column = this.run.columns.at('', nameless + this.extra);
      // An earlier table of the same archive may have more columns than this one.
      this.inPlace &&= column === this.targets.length;
      this.targets.push(column);
      this.extra += 1;
    }
    return true;
  }

  private countComment(text: string, line: number): void {
    const shown = text.trim().slice(0, 60);
    this.run.warnings.count('comment_lines', line, (count, first) => {
      const one = count === 1;
      return `${countText(count)} ${one ? 'Zeile scheint ein Kommentar' : 'Zeilen scheinen Kommentare'} zu sein (zuerst Zeile ${countText(first ?? 0)}: „${shown}“). ${one ? 'Sie wurde' : 'Sie wurden'} als Artikel gelesen. Bitte lassen Sie solche Zeilen im Export weg.`;
    });
  }

  /** Leaves the last row out of the warning about short ones: that it was cut off has a warning of its own. */
  leaveOutLast(): void {
    if (this.lastWasShort) this.run.warnings.uncount(SHORT_ROWS);
  }

  private countShort(line: number): void {
    if (this.grow) return;
    this.run.warnings.count(
      SHORT_ROWS,
      line,
      (count, first) =>
        `${countText(count)} ${count === 1 ? 'Zeile hat' : 'Zeilen haben'} weniger Zellen als die Kopfzeile (zuerst Zeile ${first}). Die fehlenden Werte sind leer.`,
    );
  }
}
