import type { ImportRun } from '#feed/import/reader/import-run.ts';
import type { TablePlan } from './table-plan.ts';

type Row = { cells: readonly string[]; line: number };

const filled = (row: Row | undefined, column: number): string => row?.cells[column]?.trim() ?? '';
const shownOf = (row: Row): string =>
  row.cells
    .filter((cell) => cell.trim() !== '')
    .join('; ')
    .slice(0, 100);

/**
 * Warns of rows that probably are no items of their own, and keeps them: nothing proves it. `records` are the table's first ones;
 * their `line` is counted as the option `skipLines` counts. Silent where the user has said how many lines stand above the
 * header, for then the row below it was meant.
 */
export function warnOfOddRows(run: ImportRun, records: readonly Row[], plan: TablePlan): void {
  if (!plan.header) return;
  const body = records.slice(plan.preamble + plan.headRows, plan.preamble + plan.headRows + 300);
  if (run.request.options.skipLines === undefined && plan.headRows === 1) warnOfFirstRow(run, body, plan);
  warnOfStoreViews(run, body, plan);
}

/**
 * A second line of names, of types ('string') or of notes ('Pflicht') has no digit in any column in which all rows below it have one. It
 * fills at least three such columns, or two where there are two or three: an item seldom lacks the digits of its number, price and stock at once.
 */
function warnOfFirstRow(run: ImportRun, [first, ...others]: readonly Row[], plan: TablePlan): void {
  if (!first || others.length < 2) return;
  const numeric = plan.headers.flatMap((_, column) => {
    const cells = others.map((row) => filled(row, column)).filter((cell) => cell !== '');
    return cells.length >= 2 && cells.length >= others.length / 2 && cells.every((cell) => /\d/u.test(cell))
      ? [filled(first, column)]
      : [];
  });
  const words = numeric.filter((cell) => cell !== '');
  if (words.length < Math.max(2, Math.min(3, numeric.length - 1)) || words.some((cell) => /\d/u.test(cell))) return;
  run.warnings.once(
    'odd_first_row',
    `Die Zeile unter der Kopfzeile („${shownOf(first)}“) sieht nicht wie ein Artikel aus: In keiner der Spalten, in denen alle anderen Zeilen Ziffern haben, steht bei ihr eine. Sie wurde als Artikel übernommen. Falls sie eine zweite Kopfzeile ist, geben Sie unter „Zeilen überspringen“ ${first.line - 1} an, dann benennt sie die Felder; falls sie nur erläutert, entfernen Sie sie aus der Datei oder schließen Sie den Artikel mit einer Regel aus.`,
  );
}

/**
 * Magento repeats an item once for each store view, with the values alone that differ there. Its exports say so in `store_view_code` (Magento 2) or
 * `_store` (Magento 1), and leave the type of product empty in such a row.
 */
function warnOfStoreViews(run: ImportRun, body: readonly Row[], { headers }: TablePlan): void {
  const at = (...names: readonly string[]) => headers.findIndex((name) => names.includes(name.trim().toLowerCase()));
  const view = at('store_view_code', '_store');
  const type = at('product_type', '_type');
  if (view < 0 || type < 0) return;
  const found = body.find((row) => filled(row, view) !== '' && filled(row, type) === '');
  if (!found || !body.some((row) => filled(row, view) === '' && filled(row, type) !== '')) return;
  run.warnings.once(
    'store_views',
    `Die Datei enthält Zeilen für einzelne Store-Views von Magento (Spalte „${headers[view]}“, zum Beispiel „${filled(found, view).slice(0, 50)}“), die nur einen Teil der Werte eines Artikels haben. Jede Zeile wurde für sich gelesen; mit der Artikelnummer als Schlüssel ersetzt die letzte Zeile eines Artikels die davor. Bitte exportieren Sie aus Magento nur eine Store-View, oder entfernen Sie diese Zeilen.`,
  );
}
