import { modalWidth } from '#feed/import/reader/csv/csv-dialect.ts';
import { countText } from '#feed/import/reader/limits.ts';
import type { Warnings } from '#feed/import/reader/warnings.ts';
import { isYear, kindOf } from './cell-kinds.ts';
import { excelTextColumns, excelTextsText, holdsExcelText, plainText } from './excel-texts.ts';
import { isSecondHeader, warnOfSecondHeader } from './second-header.ts';
import { isUnitRow, warnOfUnitRow } from './unit-row.ts';
import { countTitles, filledCells, usualWidth } from './title-lines.ts';

type Row = { cells: readonly string[] };

/** Which records of a table are title lines, header and data. `headers` has one entry per column, '' = nameless. */
export type TablePlan = {
  preamble: number;
  header: boolean;
  /** Number of records in the header: none, one, or two with a second line of names or a line of units. */
  headRows: number;
  headers: string[];
  width: number;
  /** Columns of formulas that only keep Excel from converting a text (`="001"`): only the text is imported. */
  excelTexts: ReadonlySet<number>;
};

/** Programs that write a table without names may number its columns: 0;1;2;… With two columns this may be data. */
const numbersColumns = ({ cells }: Row): boolean =>
  cells.length > 2 && cells.every((cell, index) => cell.trim() === String(index));

/** Returns true unless the first record clearly is data: its cells have the same kinds, other than text, as the cells below. */
function firstIsHeader(first: Row, body: readonly Row[]): boolean {
  if (body.length === 0 || numbersColumns(first)) return true;
  let header = 0;
  let data = 0;
  first.cells.forEach((cell, column) => {
    const below = body
      .slice(0, 100)
      .map((row) => kindOf(row.cells[column] ?? ''))
      .filter((kind) => kind !== 'empty');
    if (below.length === 0) return;
    const own = kindOf(cell);
    const special = below.find((kind) => kind !== 'text') ?? 'text';
    const share = below.filter((kind) => kind !== 'text').length / below.length;
    if (special === 'text' || share < 0.8) return;
    if (own === 'text' || own === 'empty') header += own === 'text' ? 1 : 0;
    else if (!isYear(cell)) data += 1;
  });
  return data === 0 || header > data;
}

/** Finds title lines, header and width from the first records of a table; `header` is the merchant's choice. */
export function planTable(
  found: readonly Row[],
  header: boolean | undefined,
  preambleKnown = false,
  width = usualWidth(found),
): TablePlan {
  const records = found.map((row) => (holdsExcelText(row) ? { cells: row.cells.map(plainText) } : row));
  const preamble = preambleKnown ? 0 : countTitles(records, width, header === false);
  const first = records[preamble];
  const body = records.slice(preamble + 1);
  if (!first) return { preamble: 0, header: header ?? true, headRows: 0, headers: [], width: 0, excelTexts: new Set() };
  const hasHeader = header ?? firstIsHeader(first, body);
  const twice = hasHeader && !preambleKnown && isSecondHeader(first, body[0], body.slice(1));
  const isUnits = hasHeader && !preambleKnown && !twice && isUnitRow(body[0], body.slice(1), first);
  const headRows = twice || isUnits ? 2 : Number(hasHeader);
  const excelTexts = excelTextColumns(found.slice(preamble + headRows));
  if (!hasHeader) {
    const widest = Math.max(width, first.cells.length);
    const headers = Array.from({ length: widest }, () => '');
    return { preamble, header: false, headRows, headers, width: widest, excelTexts };
  }
  const headers = [...first.cells];
  const bodyWidth = body.length >= 2 ? modalWidth(body) : 0;
  const overhang = body.filter((row) => row.cells.slice(headers.length).some((cell) => cell !== '')).length;
  if (bodyWidth > headers.length && overhang > body.length / 2) while (headers.length < bodyWidth) headers.push('');
  return { preamble, header: true, headRows, headers, width: headers.length, excelTexts };
}

/** Adds warnings about everything in a table that was not read as it is written. */
export function warnOfReading(warnings: Warnings, records: readonly Row[], plan: TablePlan): void {
  warnOfTitles(warnings, records, plan);
  warnOfOneColumn(warnings, records, plan);
  const second = plan.headRows > 1 ? records[plan.preamble + 1] : undefined;
  const below = records.slice(plan.preamble + plan.headRows);
  if (isUnitRow(second, below, records[plan.preamble])) warnOfUnitRow(warnings, second);
  else if (second) warnOfSecondHeader(warnings, second);
  if (plan.excelTexts.size > 0) warnings.once('excel_texts', excelTextsText(plan.excelTexts, plan.headers));
}

/** Characters that separate cells if each row has the same number of them as the first. */
const marks = [/;/gu, /\t/gu, /\|/gu, /#/gu, /\^/gu, /~/gu, /¦/gu, /§/gu];

/** Whether the single cells of most rows look like whole rows, or like columns aligned with blanks. */
function looksParted(cells: readonly string[]): boolean {
  const [first = '', ...rest] = cells;
  const most = (test: (cell: string) => boolean) => rest.length > 0 && rest.filter(test).length >= rest.length * 0.9;
  const count = (cell: string, mark: RegExp) => cell.match(mark)?.length ?? 0;
  const isEven = (mark: RegExp, least: number) =>
    count(first, mark) >= least && most((cell) => count(cell, mark) === count(first, mark));
  return (
    marks.some((mark) => isEven(mark, 1)) ||
    isEven(/,/gu, 2) ||
    (/\S {2,}\S/u.test(first) && most((cell) => /\S {2,}\S/u.test(cell)))
  );
}

function warnOfOneColumn(warnings: Warnings, records: readonly Row[], { headers, preamble }: TablePlan): void {
  if (headers.length !== 1) return;
  const cells = records.slice(preamble, preamble + 200).map((row) => (row.cells[0] ?? '').slice(0, 10_000));
  if (!looksParted(cells)) return;
  warnings.once(
    'one_column',
    `Die Tabelle hat nur eine Spalte, in der ganze Zeilen zu stehen scheinen („${(cells[0] ?? '').slice(0, 100)}“). Bitte wählen Sie das Trennzeichen von Hand oder liefern Sie die Daten als CSV mit Semikolon.`,
  );
}

/** Warns that the line taken for a title may hold the column names, separated by another delimiter. */
function warnOfNoHeader(warnings: Warnings, titles: readonly Row[]): void {
  const last = titles.findLast((row) => filledCells(row) > 0);
  if (!last) return;
  warnings.once(
    'no_header',
    `Über den Artikeln stehen keine passenden Spaltennamen, deshalb heißen die Felder „Spalte 1“ und so weiter. Übergangen wurde die Zeile „${last.cells.join('; ').slice(0, 100)}“. Bitte prüfen Sie, ob die Kopfzeile dasselbe Trennzeichen hat wie die Artikel.`,
  );
}

/** Warns about skipped title lines with several cells: they may have been items. */
function warnOfTitles(warnings: Warnings, records: readonly Row[], { preamble, header }: TablePlan): void {
  const titles = records.slice(0, preamble);
  if (!header) {
    warnOfNoHeader(warnings, titles);
    return;
  }
  const first = titles.find((row) => filledCells(row) >= 2);
  if (!first) return;
  const shown = first.cells
    .filter((cell) => cell.trim() !== '')
    .join('; ')
    .slice(0, 100);
  const one = preamble === 1;
  const why = shown.startsWith('#')
    ? `${one ? 'beginnt' : 'beginnen'} mit „#“`
    : `${one ? 'füllt' : 'füllen'} höchstens die Hälfte der Spalten`;
  warnings.once(
    'title_lines',
    `Über der Kopfzeile ${one ? 'wurde eine Zeile' : `wurden ${countText(preamble)} Zeilen`} als Titel übergangen, darin „${shown}“: Sie ${why}. Falls es Artikel sind, geben Sie unter „Zeilen überspringen“ an, wie viele Zeilen über der Kopfzeile stehen (0 für keine), und importieren Sie erneut.`,
  );
}
