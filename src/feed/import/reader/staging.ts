import fs from 'node:fs';
import path from 'node:path';
import type { Columns } from './columns.ts';
import { countText } from './limits.ts';
import { LineNumbers } from '#feed/import/reader/text/line-numbers.ts';
import type { Warnings } from './warnings.ts';
import { writeWhole } from '#feed/import/reader/text/write-whole.ts';

/** A CSV file that DuckDB can read without guessing: UTF-8, doubled quotes, every record with `columns` cells. */
export type CsvPart = {
  path: string;
  delimiter: string;
  quote: string;
  /** Physical lines before the first data record. */
  skip: number;
  /** Cells of a record; cell i belongs to column i of the import. */
  columns: number;
  /** Length of the longest record in bytes, or an upper bound. */
  longest: number;
  /** True: the first cell of each record is the row number, before the columns. */
  numbered: boolean;
};

const batchLength = 1024 * 1024;

/**
 * Receives rows from any reader and writes them as clean CSV parts for DuckDB. A part has spare columns, so that a file whose
 * columns appear late needs few parts.
 */
export class Staging {
  private readonly folder: string;
  private readonly columns: Columns;
  private readonly warnings: Warnings;
  private readonly parts: CsvPart[] = [];
  private batch: { text: string; cells: number }[] = [];
  private batched = 0;
  private descriptor: number | undefined;
  private readonly lineNumbers: LineNumbers;
  /** Number of rows added so far. */
  rows = 0;
  /** First rows, cells cut, for guesses. */
  readonly sample: string[][] = [];

  constructor(folder: string, columns: Columns, warnings: Warnings) {
    this.folder = folder;
    this.columns = columns;
    this.warnings = warnings;
    this.lineNumbers = new LineNumbers(path.join(folder, 'lines'));
  }

  /**
   * Adds a row. `cells[i]` belongs to column i; a hole or '' is a missing value. `row` is the row's number in the file (from 1).
   */
  add(cells: readonly (string | undefined)[], line: number, row: number): void {
    let text = String(row);
    for (let index = 0; index < cells.length; index += 1) {
      const cell = cells[index];
      text += cell ? `,${quoted(cell)}` : ',';
    }
    if (text.includes('\0')) text = this.withoutNul(text, line);
    if (this.sample.length < 1000) this.sample.push(cells.map((cell) => (cell ?? '').slice(0, 200)));
    this.lineNumbers.add(line);
    this.rows += 1;
    this.batch.push({ text, cells: cells.length });
    this.batched += text.length;
    if (this.batched > batchLength) this.flush();
  }

  /** Returns the physical line of the row with this ordinal (from 0, in order of `add`). */
  lineOf(ordinal: number): number {
    return this.lineNumbers.at(ordinal);
  }

  finish(): CsvPart[] {
    this.flush();
    this.closePart();
    return this.parts;
  }

  close(): void {
    this.closePart();
    this.lineNumbers.close();
  }

  private closePart(): void {
    if (this.descriptor !== undefined) fs.closeSync(this.descriptor);
    this.descriptor = undefined;
  }

  private withoutNul(text: string, line: number): string {
    this.warnings.count(
      'nul_characters',
      line,
      (count, first) =>
        `In ${countText(count)} ${count === 1 ? 'Zeile' : 'Zeilen'} wurden NUL-Zeichen entfernt (zuerst Zeile ${countText(first ?? 0)}). Die übrigen Zeichen blieben unverändert.`,
    );
    return text.replaceAll('\0', '');
  }

  private flush(): void {
    if (this.batch.length === 0) return;
    const part = this.partFor(this.columns.count);
    const lines = this.batch.map(({ text, cells }) => `${text}${','.repeat(part.columns - cells)}\n`);
    for (const line of lines) if (line.length * 3 > part.longest) part.longest = line.length * 3;
    this.batch = [];
    this.batched = 0;
    this.write(lines.join(''));
  }

  private write(text: string): void {
    if (this.descriptor !== undefined) writeWhole(this.descriptor, text);
  }

  private partFor(needed: number): CsvPart {
    const last = this.parts.at(-1);
    if (last && last.columns >= needed) return last;
    this.closePart();
    let columns = 16;
    while (columns < needed) columns *= 2;
    const part: CsvPart = {
      path: path.join(this.folder, `part-${this.parts.length}.csv`),
      delimiter: ',',
      quote: '"',
      skip: 0,
      columns: last ? columns : needed < 2 ? 2 : needed,
      longest: 0,
      numbered: true,
    };
    this.descriptor = fs.openSync(part.path, 'w');
    this.parts.push(part);
    return part;
  }
}

function quoted(cell: string): string {
  return cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : `"${cell}"`;
}
