import { decodeHtml } from '#engine/read/html-entities.ts';
import { Refusal } from '#feed/import/reader/refusal.ts';
import { sizeText } from '#shared/values/size-text.ts';

/** `table`: which of the page's tables it stands in, counted from 1; 0 outside of any. */
export type HtmlRow = { cells: string[]; line: number; table: number };
type Span = { value: string; rows: number };

/** As browsers have them. */
const mostColumns = 1000;
const mostRows = 65_534;
/** So much may come of cells that reach over several: a small page could otherwise become any size. */
const mostRepeated = 64 * 1024 * 1024;
/** What a cell takes beside its text. */
const cellCost = 16;

/** Groups of rows, which no cell reaches beyond, and rows up to whatever ends them. */
const rowPattern =
  /<\/?(?:thead|tbody|tfoot|table)\b|<tr\b[^>]*>([\s\S]*?)(?=<tr\b|<\/tr>|<\/?(?:thead|tbody|tfoot)\b|<\/table>|$)/giu;
const cellPattern = /<t[dh]\b([^>]*)>([\s\S]*?)(?=<t[dh]\b|<\/t[dh]>|$)/giu;
const attributePattern = /([^\s=>"'/]+)\s*=\s*("[^"]*"|'[^']*'|[^\s>]*)/gu;

function cellText(html: string): string {
  const lines = html.replaceAll(/<br\s*\/?>/giu, '\n').replaceAll(/<[^<>]*>/gu, '');
  return decodeHtml(lines)
    .replaceAll(/[^\S\n]+/gu, ' ')
    .trim();
}

/** Over how many rows or columns a cell reaches; 0 rows: to the end of its group. */
function spanOf(attributes: string, name: 'rowspan' | 'colspan'): number {
  for (const [, key = '', value = ''] of attributes.matchAll(attributePattern)) {
    const number = /^["']?\s*(\d{1,9})/u.exec(value)?.[1];
    if (key.toLowerCase() === name && number !== undefined) return Number(number);
  }
  return 1;
}

/** Lays the cells of one row after the other into their columns. */
class Spans {
  private readonly down = new Map<number, Span>();
  private readonly width: number;
  private spent = 0;
  /** Some cell reached over several rows or columns. */
  met = false;

  /** `width`: more cells of a row are not laid out. */
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

  /** Repeats what reaches down into the next column; false where nothing does. */
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
 * Rows of the tables of a page. Tags inside cells are dropped, line breaks kept. A cell that reaches over several rows stands in each, one
 * over several columns in the first. `width`: more cells of a row are not looked at.
 */
export function htmlRows(html: string, width: number): { rows: HtmlRow[]; spanned: boolean } {
  const rows: HtmlRow[] = [];
  const spans = new Spans(width);
  const tables: number[] = [];
  let met = 0;
  let line = 1;
  let at = 0;
  for (const row of html.matchAll(rowPattern)) {
    if (row[1] === undefined) {
      spans.endGroup();
      if (/^<table/iu.test(row[0])) tables.push((met += 1));
      else if (/^<\/table/iu.test(row[0])) tables.pop();
      continue;
    }
    for (let next = html.indexOf('\n', at); next >= 0 && next < row.index; next = html.indexOf('\n', at)) {
      line += 1;
      at = next + 1;
    }
    const cells = spans.row(row[1]);
    if (cells.length > 0) rows.push({ cells, line, table: tables.at(-1) ?? 0 });
    // A table in a cell begins within the row around it.
    for (const _ of row[1].matchAll(/<table\b/giu)) tables.push((met += 1));
  }
  return { rows, spanned: spans.met };
}
