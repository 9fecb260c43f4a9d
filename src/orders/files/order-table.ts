import { unprocessable } from '#platform/errors.ts';
import { amountColumns, numberFault } from './amount-faults.ts';
import { currencyCode, decimalMark, isInWholes } from './amounts/amounts.ts';
import { momentOf } from './days/moments.ts';
import type { DraftOrder, OrderFile } from './order-file.ts';
import { orderTax, fitToTotal, taxStateOf } from './amounts/net-amounts.ts';
import { type Column, columnIn, plainTitle } from './order-columns.ts';
import { addressReader, buyerColumns, type RowAddress } from './address/row-address.ts';
import { shownCell } from './rejection-text.ts';
import { splitShipping } from './shipping-rows.ts';
import { stateOf } from './row-states.ts';
import { ambiguousDays } from './days/ambiguous-days.ts';
import { cutNumber, type TableRow, tableRows, withoutMarks } from './table-records.ts';
import { amountIn, type Cell, lineOf, type Money, shippingIn } from './order-line.ts';
import { lineIds } from './line-ids.ts';
import { hasColumn, missingIn, missingText, notesOf, withoutDays } from './missing-columns.ts';
import { brokenOff, type IsOf, orderRows } from './order-rows.ts';

/** Rows searched for the header: eBay writes lines above it. */
const MOST_TITLES = 10;

const amounts: ReadonlySet<Column> = new Set<Column>([
  ...amountColumns.map(([column]) => column),
  'shippingTax',
  'total',
  'totalTax',
]);

const small = (record: readonly string[]): string[] => record.map((title) => title.toLowerCase());

/**
 * Parses a table with one order line per row, as shops and marketplaces export it. @throws KontorError if it is not such a table
 */
export function readOrderTable(text: string): OrderFile {
  const { table, isNumber } = withoutMarks(
    tableRows(
      text,
      'Die Datei ist nicht lesbar. Erwartet wird eine CSV-Tabelle mit Kopfzeile oder openTRANS. Es wurde nichts gespeichert.',
    ),
  );
  const records = table.map(({ record }) => record);
  const named = records.slice(0, MOST_TITLES).findIndex((record) => missingIn(small(record)).length === 0);
  const at = Math.max(0, named);
  const names = small(records[at] ?? []);
  const rows = records.slice(at + 1);
  const columnOf = columnsOf(names, rows);
  const missing = missingIn(names);
  if (missing.length > 0)
    throw unprocessable('no_columns', `${missingText(names, missing)} Es wurde nichts gespeichert.`);
  if (names.includes('freight_value') && !hasColumn(names, 'placed')) throw unprocessable('no_columns', withoutDays);
  const cell: Cell = (record, column) => {
    const at = columnOf(column);
    const shown = record[at]?.trim() ?? '';
    // A fourth decimal: only an amount of three may mean thousands, and a number of a workbook never does.
    return amounts.has(column) && isNumber(record, at) ? `${shown}0` : shown;
  };
  const isClosing = (record: readonly string[]) =>
    record.length < names.length / 2 &&
    cell(record, 'sku') + cell(record, 'quantity') === '' &&
    // A row with digits in this cell is the remains of a truncated row; it is not skipped, so that it is rejected by its number.
    !/\d/.test(cell(record, 'order'));
  const open = withoutParts(
    rows.filter((record) => !isClosing(record)),
    cell,
  );
  const addressOf = addressReader(names.map(plainTitle));
  const decimal = decimalsOf(rows, cell);
  // Kaufland's sales report writes prices in cents.
  const inCents =
    names.map(plainTitle).includes('idorderunit') && rows.every((row) => /^\d*$/.test(cell(row, 'price')));
  const daysOf = (column: Column) => ambiguousDays(rows.map((row) => cell(row, column)));
  const days = { placed: daysOf('placed'), shipBy: daysOf('shipBy') };
  const { found, lost } = orderRows(open, cell, sameOrder(names, columnOf));
  const orders = [...found].map(([orderid, { head, items }]) => {
    const addresses = [head, ...items].map((record) => addressOf(record));
    const address = addresses.find(({ person }) => person !== undefined) ?? addressOf(head);
    return orderOf({ orderid, head, items, decimal, inCents, days }, address, cell);
  });
  const ofPieces = columnOf('unit') >= 0 || names.map(plainTitle).includes(plainTitle('position-item-id'));
  return {
    orders,
    cancelRequests: [],
    rejected: rejectedRows(table, lost),
    ofPieces,
    notes: notesOf(names, orders, { titles: records[at] ?? [], rows }),
  };
}

/** Returns whether a row may belong to the order of `head`: its order values are empty or equal to those there. */
function sameOrder(names: readonly string[], columnOf: (column: Column) => number): IsOf {
  const ofOrder = (['placed', 'shipBy', 'buyerNumber', 'currency', 'total', 'shopOrder'] as const).map(columnOf);
  const columns = [...buyerColumns(names.map(plainTitle)), ...ofOrder];
  const text = (record: Row, column: number) => record[column]?.trim() ?? '';
  return (record, head) =>
    columns.every((column) => text(record, column) === '' || text(record, column) === text(head, column));
}

/**
 * Drops Magento's second row of a bought variant: the first is the configurable product with the price, the second its child with
 * the same SKU and quantity, or for free.
 */
function withoutParts(rows: readonly Row[], cell: Cell): Row[] {
  const parentOf = parentsIn(rows, cell);
  return rows.filter((record) => {
    const parent = parentOf(record);
    if (parent === undefined || cell(parent, 'sku') !== cell(record, 'sku')) return true;
    const isFree = (['price', 'netPrice'] as const).every((column) => /^[0.,]*$/.test(cell(record, column)));
    return !isFree && cell(parent, 'quantity') !== cell(record, 'quantity');
  });
}

function parentsIn(rows: readonly Row[], cell: Cell): (record: Row) => Row | undefined {
  const byId = new Map(rows.map((record) => [cell(record, 'item'), record]));
  byId.delete('');
  return (record) => byId.get(cell(record, 'parent'));
}

const bundleText =
  'Die Bestellung enthält ein Set und dessen Teile als eigene Positionen (parent_item_id): Daraus ist nicht zu erkennen, was versendet und was bezahlt wird. Bitte exportieren Sie nur das Set oder nur seine Teile.';

function rejectedRows(table: readonly TableRow[], lost: readonly Row[]): OrderFile['rejected'] {
  const rows = new Set(lost);
  return table.flatMap(({ row, record }) =>
    rows.has(record) ? [{ orderid: `Zeile ${row}`, message: noNumber(record) }] : [],
  );
}

const noNumber = (record: Row): string =>
  `Die Zeile hat keine Bestellnummer und gehört nicht erkennbar zur Bestellung darüber (${shownCell(record.filter((text) => text !== '').join(', '))}). Sie wurde nicht übernommen. Bitte tragen Sie die Bestellnummer in jeder Zeile ein.`;

/**
 * Returns a lookup of column indexes; lines of another shape around the table are ignored when it is checked which columns have
 * values.
 */
function columnsOf(names: readonly string[], rows: readonly Row[]): (column: Column) => number {
  const inside = rows.filter((row) => row.length >= names.length / 2);
  const found = new Map<Column, number>();
  return (column) => {
    const known = found.get(column);
    if (known !== undefined) return known;
    const index = columnIn(names, column, (at) => inside.some((row) => (row[at] ?? '').trim() !== ''));
    found.set(column, index);
    return index;
  };
}

type Row = readonly string[];
/** `head`: the row that holds the values of the whole order. */
type OrderRows = {
  orderid: string;
  head: Row;
  items: readonly Row[];
  decimal: Money['decimal'];
  inCents: boolean;
  /** How the days of a column are written like German ones. */
  days: Record<'placed' | 'shipBy', (text: string) => string>;
};

/** Returns the decimal mark of each column. The shipping column is no evidence: it may name the shipping method. */
function decimalsOf(rows: readonly Row[], cell: Cell): Money['decimal'] {
  const columns = [
    ...amountColumns.map(([column]) => column).filter((column) => column !== 'shipping'),
    'total',
  ] as const;
  const mark = decimalMark(rows.map((row) => columns.map((column) => cell(row, column))));
  const wholes = new Set<Column>(columns.filter((column) => isInWholes(rows.map((row) => cell(row, column)))));
  return (column) => (wholes.has(column) ? undefined : mark);
}

function orderOf(
  { orderid, head, items, decimal, inCents, days }: OrderRows,
  { country, person }: RowAddress,
  cell: Cell,
): DraftOrder {
  const all = items.includes(head) ? items : [head, ...items];
  const first = (column: Column) => cell(all.find((record) => cell(record, column) !== '') ?? head, column);
  const currency = currencyCode(first('currency'));
  const state = taxStateOf(cell(head, 'taxState'), cell(head, 'taxFree'));
  const bare: Money = { currency, decimal, inCents, state };
  const total = amountIn(head, 'total', bare, cell).cents;
  const inTotal = amountIn(head, 'totalTax', bare, cell).cents;
  const money = { ...bare, tax: orderTax(total, inTotal, { lines: items.length, country }) };
  const read = items.map((record) => ({ record, line: lineOf(record, money, cell) }));
  const { articles, cents } = splitShipping(read, cell);
  // Without line ids the article number identifies a line; a repeated one gets a number.
  const ids = lineIds(articles.map(({ record, line }) => cell(record, 'line') || line.sku));
  const found = articles.map(({ record, line }, at) => ({
    ...line,
    ...stateOf(record, { head, ordered: line.ordered, cell }),
    productid: ids[at] ?? '',
  }));
  const shipped =
    cents === undefined
      ? shippedLines(found, { head, items, all }, money, cell)
      : shippedOnce(found.map((line) => ({ ...line, shipping_cents: cents })));
  const lines = [...shipped, ...discountOf(head, money, cell)];
  const isNet = state === 'net' || items.some((record) => cell(record, 'netPrice') !== '');
  return {
    orderid,
    placed_at: momentOf(days.placed(first('placed'))),
    ship_by: first('shipBy') === '' ? undefined : momentOf(days.shipBy(first('shipBy'))),
    currency,
    country,
    fault: faultOf(orderid, { items, all, found: read.map(({ line }) => line) }, money, cell),
    buyer_order_number: first('buyerNumber'),
    lines: isNet ? fitToTotal(lines, total) : lines,
    persons: person === undefined ? {} : { delivery: person },
  };
}

type Lines = DraftOrder['lines'];
type Rows = { head: Row; items: readonly Row[]; all: readonly Row[] };

/**
 * Returns the lines with the order's shipping cost, which is written on each row of an order, on its first row, or on the row of
 * the whole order.
 */
function shippedLines(found: Lines, { head, items, all }: Rows, money: Money, cell: Cell): Lines {
  if (cell(head, 'lineShipping') !== '') return found;
  const isFree = (record: Row) => /^[^1-9]*$/.test(shippingIn(record, cell));
  if (all.length > items.length && items.every(isFree))
    return shippedOnce(found.map((line) => ({ ...line, shipping_cents: lineOf(head, money, cell).shipping_cents })));
  const isOfOrder = new Set(items.map((record) => shippingIn(record, cell))).size === 1;
  return isOfOrder ? shippedOnce(found) : found;
}

type Found = { items: readonly Row[]; all: readonly Row[]; found: Lines };

function faultOf(orderid: string, { items, all, found }: Found, money: Money, cell: Cell): string | undefined {
  if (orderid.startsWith(brokenOff)) return brokenOffText;
  const lacksRate =
    (money.state === 'net' && found.some((line) => line.unit_cents !== null && line.tax_rate === null)) ||
    // The sums show that the rates differ, but not the rate of each line.
    (money.tax?.isMixed === true &&
      items.some((row, at) => cell(row, 'netPrice') !== '' && found[at]?.unit_cents === null));
  const parentOf = parentsIn(all, cell);
  return (
    cutNumber(orderid, 'Bestellnummer') ??
    currencyFault(all, cell) ??
    (all.some((record) => parentOf(record) !== undefined) ? bundleText : undefined) ??
    numberFault(all, money, cell) ??
    (lacksRate ? noRate : undefined)
  );
}

/** The order has one currency: in another one, its lines would cost more or less than the buyer pays. */
function currencyFault(rows: readonly Row[], cell: Cell): string | undefined {
  const named = rows.map((row) => cell(row, 'currency')).filter((text) => text !== '');
  const codes = [...new Set(named.map(currencyCode))];
  if (codes.length <= 1) return undefined;
  return `Die Zeilen der Bestellung nennen verschiedene Währungen (${shownCell(codes.join(', '))}): Was der Käufer zahlt, ist damit unbekannt. Bitte geben Sie in jeder Zeile dieselbe an, oder teilen Sie die Bestellung.`;
}

const brokenOffText = 'Die Bestellung hat keine Nummer (0). Shopware schreibt so Bestellungen, die abgebrochen wurden.';
const noRate =
  'Die Preise sind netto, und bei einer Position steht kein Steuersatz: Was der Käufer zahlt, ist damit unbekannt. Bitte exportieren Sie den Steuersatz jeder Position mit.';

/** Returns the discount of the whole order as a negative line. */
function discountOf(first: readonly string[], money: Money, cell: Cell): DraftOrder['lines'] {
  const cents = Math.abs(amountIn(first, 'discount', money, cell).cents ?? 0);
  if (cents === 0) return [];
  const line = { productid: 'discount', sku: 'discount', title: '', ordered: 1, tax_rate: null, shipping_cents: 0 };
  return [{ ...line, unit_cents: -cents }];
}

/**
 * Keeps the shipping cost on one line only, as shops repeat it on each row: on a line that is no voucher and, if possible, not
 * cancelled.
 */
function shippedOnce(lines: DraftOrder['lines']): DraftOrder['lines'] {
  const articles = lines.filter(({ unit_cents: unit, ordered }) => (unit ?? 0) * ordered >= 0);
  const bearer = articles.find(({ cancelled = 0 }) => cancelled === 0) ?? articles[0] ?? lines[0];
  return lines.map((line) => (line === bearer ? line : { ...line, shipping_cents: 0 }));
}
