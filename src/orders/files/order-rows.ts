import { type Cell, quantityIn } from './order-line.ts';

type Row = readonly string[];
/** `head`: the row that says what is true of the whole order; `items`: those of its articles, of which it is the first where it has one. */
export type RowsOfOrder = { head: Row; items: Row[] };

/** Shopware numbers orders that were broken off 0: only the id within the shop names them. */
export const brokenOff = '0, im Shop ';

function orderIn(record: Row, cell: Cell): string {
  const number = cell(record, 'order');
  const shopOrder = cell(record, 'shopOrder');
  return number === '0' && shopOrder !== '' && shopOrder !== '0' ? `${brokenOff}${shopOrder}` : number;
}

const isArticle = (record: Row, cell: Cell): boolean => cell(record, 'sku') + cell(record, 'listing') !== '';

/**
 * Whether the first row is eBay's for the whole order: it names no article, and all the pieces where it counts them. Elsewhere it is an
 * article without a number.
 */
function standsForAll({ head, items: [, ...others] }: RowsOfOrder, cell: Cell): boolean {
  if (others.length === 0 || cell(head, 'record') === '' || isArticle(head, cell) || cell(head, 'title') !== '')
    return false;
  const pieces = others.reduce((sum, record) => sum + Number(cell(record, 'quantity')), 0);
  return cell(head, 'quantity') === '' || Number(cell(head, 'quantity')) === pieces;
}

/** What a row says of how much all the rows above it are. */
const sums =
  /^(?:(?:zwischen|gesamt|end)?summen?|sum|(?:ins)?gesamt(?:summe|betrag|menge)?|(?:(?:sub|grand)[ -]?)?totals?)(?: \(?(?:eur|€|netto|brutto)\)?)?:?$/i;
const isSums = (record: Row): boolean => record.some((text) => sums.test(text.trim()));

/** Whose rows may be of the same order: one that names no other buyer, place or day than its first row. */
export type IsOf = (record: Row, head: Row) => boolean;

/**
 * The rows of each order. Some programs write what is true of the order on its first row alone, its number too; eBay writes a row for the
 * order and one for each of its articles, which share the number of its record. `lost`: rows with articles of which nobody can tell the order.
 */
export function orderRows(
  rows: readonly Row[],
  cell: Cell,
  isOf: IsOf,
): { found: Map<string, RowsOfOrder>; lost: Row[] } {
  const found = new Map<string, RowsOfOrder>();
  const lost: Row[] = [];
  const byRecord = new Map<string, string>();
  let last: RowsOfOrder | undefined;
  for (const record of rows) {
    const number = cell(record, 'record');
    const order = orderIn(record, cell) || (byRecord.get(number) ?? '');
    if (order === '') {
      if (!(isArticle(record, cell) || quantityIn(record, cell) !== '')) continue;
      const isNext = number === '' && isArticle(record, cell) && quantityIn(record, cell) !== '' && !isSums(record);
      if (isNext && last !== undefined && isOf(record, last.head)) {
        last.items.push(record);
        continue;
      }
      if (!isSums(record)) lost.push(record);
      // What follows may be of the order of this row.
      last = undefined;
      continue;
    }
    if (number !== '') byRecord.set(number, order);
    last = found.get(order);
    if (last === undefined) {
      last = { head: record, items: [record] };
      found.set(order, last);
    } else last.items.push(record);
  }
  for (const order of found.values()) {
    if (standsForAll(order, cell)) order.items = order.items.filter((record) => record !== order.head);
  }
  return { found, lost };
}
