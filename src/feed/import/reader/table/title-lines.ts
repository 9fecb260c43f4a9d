import { modalWidth } from '#feed/import/reader/csv/csv-dialect.ts';
import { isYear, kindOf } from './cell-kinds.ts';

type Row = { cells: readonly string[] };

const mostTitles = 30;

export function filledCells(row: Row | undefined): number {
  return row?.cells.filter((cell) => cell.trim() !== '').length ?? 0;
}

/** The usual number of cells. In a short file title lines may be the most: then what stands below them counts. */
export function usualWidth(records: readonly Row[]): number {
  const usual = modalWidth(records);
  const last = records.at(-1)?.cells.length ?? 0;
  if (last <= usual) return usual;
  const table = records.findLastIndex((row) => row.cells.length !== last) + 1;
  const above = records.slice(0, table);
  const isTable = records.length - table >= 2 && above.every((row) => filledCells(row) <= last / 2);
  return isTable ? last : usual;
}

/** Records above the header: lines that fill at most half of the columns. With `sure`, only those that are clear at a glance. */
export function countTitles(records: readonly Row[], width: number, sure: boolean): number {
  if (width < 2) return 0;
  const comments = sure ? 0 : countComments(records, width);
  if (comments > 0) return comments;
  const usual = records.reduce((most, row) => Math.max(most, Math.min(width, filledCells(row))), 0);
  const isBare = (row: Row) =>
    // Amazon's templates say there what they are, in as many cells as they need.
    row.cells[0]?.startsWith('TemplateType=') === true ||
    row.cells.length <= Math.max(1, Math.floor(width / 3)) ||
    (width >= 3 && filledCells(row) <= 1);
  const bare = firstOther(records, isBare);
  // Of three columns or fewer half is one cell, and a line with one cell of two may be the name of the first.
  if (sure || usual < 4) return bare;
  const found = firstOther(records, (row) => isBare(row) || filledCells(row) <= usual / 2);
  return found > bare && namesColumns(records, found) ? found : bare;
}

/** Meta's templates say above each name what belongs there: `# Required | A unique content ID for the item.` */
const explains = (row: Row | undefined): boolean =>
  row?.cells.every((cell) => cell.trim() === '' || /^\s*#\s[^|]*\|/u.test(cell)) === true;

/** Lines that begin with # above a header, which may be marked so too: the last of them that fills the columns, or is called #sku or #. */
function countComments(records: readonly Row[], width: number): number {
  const others = records
    .slice(0, mostTitles + 1)
    .findIndex(({ cells }) => !(cells[0] ?? '').trimStart().startsWith('#'));
  const last = records[others - 1];
  const isNamed = /^#\S*$/u.test(last?.cells[0]?.trim() ?? '') && filledCells(last) > width / 2;
  const at = (filledCells(last) >= width && !explains(last)) || isNamed ? others - 1 : others;
  return at > 0 && filledCells(records[at]) > width / 2 && namesColumns(records, at) ? at : 0;
}

/** How many records at the beginning are so; 0 where what follows is no table. */
function firstOther(records: readonly Row[], isTitle: (row: Row) => boolean): number {
  const found = records.slice(0, mostTitles + 1).findIndex((row) => !isTitle(row));
  return found >= 0 && filledCells(records[found]) >= 2 ? found : 0;
}

/**
 * Whether a record is a header and no item: names are different texts, and none of them looks like the cells below it. What stands
 * above would be lost otherwise, an item without most of its values or a header with few names.
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

/** `A-4711` and `B-0815` are written alike. */
const shapeOf = (cell: string): string =>
  cell
    .slice(0, 100)
    .replaceAll(/\p{L}+/gu, 'a')
    .replaceAll(/\p{N}+/gu, '0');
