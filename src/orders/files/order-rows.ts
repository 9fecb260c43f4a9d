import type { Cell } from './order-line.ts';

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
const isCancelled = (record: Row, cell: Cell): boolean => /^cancell?ed$/i.test(cell(record, 'cancelled'));

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

/**
 * The rows of each order. Some programs write what is true of the order on its first row alone, its number too; eBay writes a row for the
 * order and one for each of its articles, which share the number of its record.
 */
export function orderRows(rows: readonly Row[], cell: Cell): Map<string, RowsOfOrder> {
  const found = new Map<string, RowsOfOrder>();
  const byRecord = new Map<string, string>();
  let last = '';
  for (const record of rows) {
    const number = cell(record, 'record');
    const own = orderIn(record, cell) || byRecord.get(number);
    // Without a number of its own a row with an article belongs to the order above it.
    const order = own ?? (number === '' && isArticle(record, cell) && cell(record, 'quantity') !== '' ? last : '');
    if (order === '') continue;
    last = order;
    if (number !== '') byRecord.set(number, order);
    const known = found.get(order);
    if (known === undefined) found.set(order, { head: record, items: [record] });
    else known.items.push(record);
  }
  for (const of of found.values()) {
    const isHead = standsForAll(of, cell);
    of.items = of.items.filter((record) => (record !== of.head || !isHead) && !isCancelled(record, cell));
  }
  return found;
}
