import { modalWidth } from '#feed/import/reader/csv/csv-dialect.ts';
import { isGtin } from './guess.ts';

type Row = { cells: readonly string[] };

/** Which records of a table are title lines, header and data. `headers` has one entry per column, '' = nameless. */
export type TablePlan = { preamble: number; header: boolean; headers: string[]; width: number };

function filledCells(row: Row | undefined): number {
  return row?.cells.filter((cell) => cell.trim() !== '').length ?? 0;
}

/** Records above the header: title lines with one cell or far fewer cells than the table has. */
function countPreamble(records: readonly Row[], width: number): number {
  if (width < 2) return 0;
  const limit = Math.min(30, records.length - 1);
  for (let index = 0; index <= limit; index += 1) {
    const row = records[index];
    if (!row) return 0;
    const narrow = row.cells.length <= Math.max(1, Math.floor(width / 3)) || (width >= 3 && filledCells(row) <= 1);
    if (!narrow) return filledCells(row) >= 2 ? index : 0;
  }
  return 0;
}

type CellKind = 'number' | 'gtin' | 'url' | 'date' | 'text' | 'empty';

function kindOf(cell: string): CellKind {
  const text = cell.trim();
  if (text === '') return 'empty';
  if (/^https?:\/\/\S+$/iu.test(text)) return 'url';
  if (text.length >= 12 && isGtin(text)) return 'gtin';
  if (/^[+-]?[\d.,]*\d([.,]\d+)?\s*(€|eur|%)?$/iu.test(text)) return 'number';
  if (/^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}/u.test(text)) return 'date';
  return 'text';
}

/** Programs that write a table without names number its columns: 0;1;2;… Of two columns it may as well be data. */
const numbersColumns = ({ cells }: Row): boolean =>
  cells.length > 2 && cells.every((cell, index) => cell.trim() === String(index));

/** True unless the first record clearly is data: its cells are of the same special kinds as the cells below. */
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
    else if (!(own === 'number' && /^(19|20)\d\d$/u.test(cell.trim()))) data += 1;
  });
  return data === 0 || header > data;
}

/** Judges the first records of a table; `header` is the merchant's choice. */
export function planTable(
  records: readonly Row[],
  header: boolean | undefined,
  preambleKnown = false,
  width = modalWidth(records),
): TablePlan {
  const preamble = preambleKnown ? 0 : countPreamble(records, width);
  const first = records[preamble];
  const body = records.slice(preamble + 1);
  if (!first) return { preamble: 0, header: header ?? true, headers: [], width: 0 };
  const hasHeader = header ?? firstIsHeader(first, body);
  if (!hasHeader) {
    const widest = Math.max(width, first.cells.length);
    return { preamble, header: false, headers: Array.from({ length: widest }, () => ''), width: widest };
  }
  const headers = [...first.cells];
  const bodyWidth = body.length >= 2 ? modalWidth(body) : 0;
  const overhang = body.filter((row) => row.cells.slice(headers.length).some((cell) => cell !== '')).length;
  if (bodyWidth > headers.length && overhang > body.length / 2) while (headers.length < bodyWidth) headers.push('');
  return { preamble, header: true, headers, width: headers.length };
}
