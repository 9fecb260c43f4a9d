import { modalWidth } from '#feed/import/reader/csv/csv-dialect.ts';
import { isYear, kindOf } from './cell-kinds.ts';

type Row = { cells: readonly string[] };

const mostTitles = 30;

export function filledCells(row: Row | undefined): number {
  return row?.cells.filter((cell) => cell.trim() !== '').length ?? 0;
}

/** Returns the usual number of cells. In a short file most lines may be titles: then the width of the rows below them is used. */
export function usualWidth(records: readonly Row[]): number {
  const usual = modalWidth(records);
  const last = records.at(-1)?.cells.length ?? 0;
  if (last <= usual) return usual;
  const table = records.findLastIndex((row) => row.cells.length !== last) + 1;
  const above = records.slice(0, table);
  const isTable = records.length - table >= 2 && above.every((row) => filledCells(row) <= last / 2);
  return isTable ? last : usual;
}

/** Counts the title lines above the header: lines that fill at most half of the columns. With `sure`, only unmistakable ones. */
export function countTitles(records: readonly Row[], width: number, sure: boolean): number {
  if (width < 2) return 0;
  const comments = sure ? 0 : countComments(records, width);
  if (comments > 0) return comments;
  const usual = records.reduce((most, row) => Math.max(most, Math.min(width, filledCells(row))), 0);
  const isBare = (row: Row) =>
    // Amazon's templates describe themselves in this line, in any number of cells.
    row.cells[0]?.startsWith('TemplateType=') === true ||
    row.cells.length <= Math.max(1, Math.floor(width / 3)) ||
    (width >= 3 && filledCells(row) <= 1);
  const bare = firstOther(records, isBare);
  // With three columns or fewer, half is one cell, and a line with one of two cells may be the name of the first column.
  if (sure || usual < 4) return bare;
  const found = firstOther(records, (row) => isBare(row) || filledCells(row) <= usual / 2);
  return found > bare && namesColumns(records, found) ? found : bare;
}

/** Whether a row explains columns, as in Meta's templates: `# Required | A unique content ID for the item.` above each name. */
const explains = (row: Row | undefined): boolean =>
  row?.cells.every((cell) => cell.trim() === '' || /^\s*#\s[^|]*\|/u.test(cell)) === true;

/** Counts lines that begin with # above a header. The last of them is the header if it fills the columns, or is #sku or #. */
function countComments(records: readonly Row[], width: number): number {
  const others = records
    .slice(0, mostTitles + 1)
    .findIndex(({ cells }) => !(cells[0] ?? '').trimStart().startsWith('#'));
  const last = records[others - 1];
  const isNamed = /^#\S*$/u.test(last?.cells[0]?.trim() ?? '') && filledCells(last) > width / 2;
  const at = (filledCells(last) >= width && !explains(last)) || isNamed ? others - 1 : others;
  return at > 0 && filledCells(records[at]) > width / 2 && namesColumns(records, at) ? at : 0;
}

/** Counts the records at the beginning that are titles; 0 if the record after them is no table row. */
function firstOther(records: readonly Row[], isTitle: (row: Row) => boolean): number {
  const found = records.slice(0, mostTitles + 1).findIndex((row) => !isTitle(row));
  return found >= 0 && filledCells(records[found]) >= 2 ? found : 0;
}

/**
 * Whether a record is a header and no item: its cells are different texts, and none looks like the cells below it. The lines
 * above it would be lost if this guess were wrong, e.g. an item without most of its values or a header with few names.
 */
function namesColumns(records: readonly Row[], at: number): boolean {
  const body = records.slice(at + 1, at + 101);
  const cells = (records[at]?.cells ?? []).map((cell) => cell.trim());
  const names = cells.filter((cell) => cell !== '');
  if (body.length === 0 || new Set(names).size < names.length) return false;
  return cells.every((cell, column) => {
    if (cell === '' || isYear(cell)) return true;
    if (kindOf(cell) !== 'text') return false;
    const below = body.map((row) => row.cells[column]?.trim() ?? '').filter((other) => other !== '');
    const alike = below.filter((other) => other === cell || (/\d/u.test(cell) && shapeOf(other) === shapeOf(cell)));
    return below.length === 0 || alike.length <= below.length / 2;
  });
}

/** Reduces a cell to its shape: `A-4711` and `B-0815` have the same. */
const shapeOf = (cell: string): string =>
  cell
    .slice(0, 100)
    .replaceAll(/\p{L}+/gu, 'a')
    .replaceAll(/\p{N}+/gu, '0');
