import fs from 'node:fs';
import { decodeHtml } from '#engine/read/html-entities.ts';
import type { DetectedFormat } from '#shared/import/schema.ts';
import type { ImportRun, TextSource } from '#feed/import/reader/import-run.ts';
import { sizeText } from '#shared/values/size-text.ts';
import { Refusal } from '#feed/import/reader/refusal.ts';
import { countText } from '#feed/import/reader/limits.ts';
import { rejectLarge } from './first-rows.ts';
import { htmlRows, type HtmlRow } from './html-rows.ts';
import { warnOfOddRows } from './odd-rows.ts';
import { planTable, warnOfReading } from './table-plan.ts';
import { TableRows } from './table-rows.ts';

const sizeLimit = 64 * 1024 * 1024;

/** Returns the rows of the table with most cells and of all tables of its width; the others are menus and addresses. */
function largestTable(run: ImportRun, rows: readonly HtmlRow[]): readonly HtmlRow[] {
  const tables = [...Map.groupBy(rows, ({ table }) => table)].map(([table, own]) => ({
    table,
    width: own.reduce((most, { cells }) => Math.max(most, cells.length), 0),
    cells: own.reduce((sum, { cells }) => sum + cells.length, 0),
  }));
  const largest = tables.toSorted((one, other) => other.cells - one.cells)[0];
  const chosen = new Set(tables.filter(({ width }) => width === largest?.width).map(({ table }) => table));
  const found = rows.filter(({ table }) => chosen.has(table));
  if (found.length < rows.length)
    run.warnings.once(
      'html_tables',
      `Die Seite enthält mehrere Tabellen. Gelesen wurde die größte mit ${countText(largest?.width ?? 0)} Spalten; ${countText(rows.length - found.length)} Zeilen anderer Tabellen blieben weg. Bitte prüfen Sie, ob Artikel fehlen.`,
    );
  return found;
}

/** Invisible parts of a page: comments, scripts, styles and tags. An unclosed one extends to the end of the text. */
const unseen = /<!--[\s\S]*?(?:-->|$)|<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)|<[^<>]*>/giu;

/** Returns the visible text at the beginning of a page, at most 150 characters. */
function visibleText(html: string): string {
  const text = decodeHtml(html.slice(0, 200_000).replaceAll(unseen, ' '));
  return text.replaceAll(/\s+/gu, ' ').trim().slice(0, 150);
}

/** Returns a page without its comments: rows in them are shown nowhere. Line ends stay, so that rows keep their lines. */
function withoutComments(page: string): string {
  let html = '';
  let from = 0;
  for (let start = page.indexOf('<!--'); start >= 0; start = page.indexOf('<!--', from)) {
    const end = page.indexOf('-->', start + 4);
    if (end < 0) break;
    html += page.slice(from, start) + page.slice(start, end).replaceAll(/[^\n]+/gu, '');
    from = end + 3;
  }
  return html + page.slice(from);
}

/** Reads a web page with one table, which many shops call an Excel export. */
export async function readHtmlTable(run: ImportRun, source: TextSource): Promise<DetectedFormat> {
  if (source.size > sizeLimit) {
    throw new Refusal(
      'html_too_large',
      `HTML-Tabellen werden nur bis ${sizeText(sizeLimit)} gelesen. Es wurde nichts importiert. Bitte liefern Sie die Daten als CSV oder .xlsx.`,
    );
  }
  const page = (await fs.promises.readFile(source.path)).subarray(source.start).toString('utf8');
  const html = withoutComments(page);
  const start = html.search(/<table\b/iu);
  if (start < 0) {
    const shown = visibleText(page);
    throw new Refusal(
      'html_page',
      `Die Datei ist eine Internetseite ohne Tabelle, vermutlich eine Anmelde- oder Fehlerseite${shown === '' ? '' : ` („${shown}“)`}. Es wurde nichts importiert. Bitte prüfen Sie die Adresse der Datei.`,
    );
  }
  if (!/<\/table>/iu.test(html)) {
    throw new Refusal(
      'truncated',
      'Die HTML-Tabelle ist nicht abgeschlossen, die Datei ist vermutlich unvollständig. Es wurde nichts importiert. Bitte übertragen Sie sie erneut.',
    );
  }
  const { header, skipLines } = run.request.options;
  // One column more than allowed, so that a table with too many columns is refused.
  const found = htmlRows(html, run.limits.columns + 1);
  const rows = largestTable(run, found.rows)
    .slice(skipLines ?? 0)
    .filter(({ cells, line }) => !rejectLarge(run, cells, line));
  const sample = rows.slice(0, 1000);
  const plan = planTable(sample, header, skipLines !== undefined);
  warnOfReading(run.warnings, sample, plan);
  const counted = sample.map(({ cells }, index) => ({ cells, line: index + 1 }));
  warnOfOddRows(run, counted, plan);
  const table = new TableRows(run, plan, true);
  for (const row of rows) table.record(row.cells, row.line, () => row.cells.join(';'));
  run.warnings.once(
    'html_table',
    'Die Datei ist eine HTML-Tabelle und wurde so gelesen. Formatierungen in den Zellen sind entfallen.',
  );
  if (found.spanned)
    run.warnings.once(
      'html_spans',
      'In der HTML-Tabelle reichen Zellen über mehrere Zeilen oder Spalten. Ein Wert über mehrere Zeilen steht nun in jeder davon, einer über mehrere Spalten nur in der ersten. Bitte prüfen Sie diese Felder.',
    );
  return {
    format: 'xlsx',
    encoding: source.encoding,
    header: plan.header,
    ...(plan.preamble > 0 ? { preamble: plan.preamble } : {}),
  };
}
