import { decodeHtml } from '#engine/read/html-entities.ts';
import { Refusal } from '#feed/import/reader/refusal.ts';
import { sizeText } from '#shared/values/size-text.ts';

/** `table`: number of the page's table that contains the row, from 1; 0 outside of any table. */
export type HtmlRow = { cells: string[]; line: number; table: number };
type Span = { value: string; rows: number };

/** Limits of browsers. */
const mostColumns = 1000;
const mostRows = 65_534;
/** Most characters that cells spanning rows or columns may produce: otherwise a small page could expand to any size. */
const mostRepeated = 64 * 1024 * 1024;
/** Cost of a cell in addition to its text. */
const cellCost = 16;

/** Matches row groups, which no rowspan exceeds, and rows up to any tag that ends them. */
const rowPattern =
  /<\/?(?:thead|tbody|tfoot|table)\b|<tr\b[^>]*>([\s\S]*?)(?=<tr\b|<\/tr>|<\/?(?:thead|tbody|tfoot)\b|<\/table>|$)/giu;
const cellPattern = /<t[dh]\b([^>]*)>([\s\S]*?)(?=<t[dh]\b|<\/t[dh]>|$)/giu;
/** A name begins after a blank, a slash or a quote: otherwise each letter of a long one would begin a search. */
const attributePattern = /(?<![^\s"'/])([^\s=>"'/]+)\s*=\s*("[^"]*"|'[^']*'|[^\s>]*)/gu;

function cellText(html: string): string {
  const lines = html.replaceAll(/<br\s*\/?>/giu, '\n').replaceAll(/<[^<>]*>/gu, '');
  return decodeHtml(lines)
    .replaceAll(/[^\S\n]+/gu, ' ')
    .trim();
}

/** Returns how many rows or columns a cell spans; 0 rows: to the end of its group. */
function spanOf(attributes: string, name: 'rowspan' | 'colspan'): number {
  for (const [, key = '', value = ''] of attributes.matchAll(attributePattern)) {
    const number = /^["']?\s*(\d{1,9})/u.exec(value)?.[1];
    if (key.toLowerCase() === name && number !== undefined) return Number(number);
  }
  return 1;
}

/** Places the cells of consecutive rows into their columns. */
class Spans {
  private readonly down = new Map<number, Span>();
  private readonly width: number;
  private spent = 0;
  /** Whether any cell spanned several rows or columns. */
  met = false;

  /** `width`: further cells of a row are ignored. */
  constructor(width: number) {
    this.width = width;
  }

  endGroup(): void {
    this.down.clear();
  }

  row(html: string): string[] {
    const cells: string[] = [];
    for (const [, attributes = '', content = ''] of html.matchAll(cellPattern)) {
      while (this.carry(cells));
      if (cells.length >= this.width) break;
      this.place(cells, attributes, cellText(content));
    }
    const isEmpty = cells.length === 0;
    const last = Math.max(-1, ...this.down.keys());
    while (cells.length <= last) if (!this.carry(cells)) this.add(cells, '');
    return isEmpty ? [] : cells;
  }

  private place(cells: string[], attributes: string, value: string): void {
    const rows = Math.min(mostRows, spanOf(attributes, 'rowspan') || mostRows);
    const columns = Math.min(mostColumns, spanOf(attributes, 'colspan') || 1);
    if (rows > 1 || columns > 1) this.met = true;
    for (let index = 0; index < columns && cells.length < this.width; index += 1) {
      const own = index === 0 ? value : '';
      if (index > 0 && this.carry(cells)) continue;
      if (rows > 1) this.down.set(cells.length, { value: own, rows: rows - 1 });
      if (index === 0) cells.push(own);
      else this.add(cells, '');
    }
  }

  /** Repeats the cell that spans down into the next column; returns false if there is none. */
  private carry(cells: string[]): boolean {
    const column = cells.length;
    const span = this.down.get(column);
    if (!span) return false;
    this.add(cells, span.value);
    span.rows -= 1;
    if (span.rows === 0) this.down.delete(column);
    return true;
  }

  private add(cells: string[], value: string): void {
    this.spent += cellCost + value.length;
    if (this.spent > mostRepeated)
      throw new Refusal(
        'html_spans',
        `In der HTML-Tabelle reichen so viele Zellen über mehrere Zeilen oder Spalten, dass daraus mehr als ${sizeText(mostRepeated)} würden. Es wurde nichts importiert. Bitte liefern Sie die Daten als CSV oder .xlsx.`,
      );
    cells.push(value);
  }
}

/**
 * Returns the rows of a page's tables. Tags inside cells are dropped, line breaks kept. The value of a cell that spans rows is
 * in each of them, of one that spans columns in the first. `width`: further cells of a row are ignored.
 */
export function htmlRows(html: string, width: number): { rows: HtmlRow[]; spanned: boolean } {
  const rows: HtmlRow[] = [];
  const spans = new Spans(width);
  const tables: number[] = [];
  let tableCount = 0;
  let line = 1;
  let at = 0;
  for (const row of html.matchAll(rowPattern)) {
    if (row[1] === undefined) {
      spans.endGroup();
      if (/^<table/iu.test(row[0])) tables.push((tableCount += 1));
      else if (/^<\/table/iu.test(row[0])) tables.pop();
      continue;
    }
    for (let next = html.indexOf('\n', at); next >= 0 && next < row.index; next = html.indexOf('\n', at)) {
      line += 1;
      at = next + 1;
    }
    const cells = spans.row(row[1]);
    if (cells.length > 0) rows.push({ cells, line, table: tables.at(-1) ?? 0 });
    // A table inside a cell begins within the row around it.
    for (const _ of row[1].matchAll(/<table\b/giu)) tables.push((tableCount += 1));
  }
  return { rows, spanned: spans.met };
}
