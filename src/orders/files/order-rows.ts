import { type Cell, quantityIn } from './order-line.ts';

type Row = readonly string[];
/**
 * `head`: the row that holds the values of the whole order; `items`: its article rows, which include `head` if that has an
 * article.
 */
export type RowsOfOrder = { head: Row; items: Row[] };

/** Shopware gives aborted orders the number 0; only the id within the shop identifies them. */
export const brokenOff = '0, im Shop ';

function orderIn(record: Row, cell: Cell): string {
  const number = cell(record, 'order');
  const shopOrder = cell(record, 'shopOrder');
  return number === '0' && shopOrder !== '' && shopOrder !== '0' ? `${brokenOff}${shopOrder}` : number;
}

const isArticle = (record: Row, cell: Cell): boolean => cell(record, 'sku') + cell(record, 'listing') !== '';

/**
 * Returns whether the first row is eBay's row for the whole order: it names no article, and its quantity, if given, is the total.
 * Elsewhere such a row is an article without a number.
 */
function isOrderRow({ head, items: [, ...others] }: RowsOfOrder, cell: Cell): boolean {
  if (others.length === 0 || cell(head, 'record') === '' || isArticle(head, cell) || cell(head, 'title') !== '')
    return false;
  const pieces = others.reduce((sum, record) => sum + Number(cell(record, 'quantity')), 0);
  return cell(head, 'quantity') === '' || Number(cell(head, 'quantity')) === pieces;
}

/** Labels of rows that sum up the rows above. */
const sums =
  /^(?:(?:zwischen|gesamt|end)?summen?|sum|(?:ins)?gesamt(?:summe|betrag|menge)?|(?:(?:sub|grand)[ -]?)?totals?)(?: \(?(?:eur|€|netto|brutto)\)?)?:?$/i;
const isSums = (record: Row): boolean => record.some((text) => sums.test(text.trim()));

/** Whether a row may belong to the order of `head`: it names no other buyer, place or day. */
export type IsOf = (record: Row, head: Row) => boolean;

/**
 * Groups the rows by order. Some programs write the order's values and number only on its first row; eBay writes a row for the
 * order and one for each article, which share the record number. `lost`: article rows whose order is unknown.
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
      // The next rows may belong to the order of this row.
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
    if (isOrderRow(order, cell)) order.items = order.items.filter((record) => record !== order.head);
  }
  return { found, lost };
}
