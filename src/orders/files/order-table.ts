import { pieceOfPrice, pieceOfSum } from '#marketplaces/amounts.ts';
import { unprocessable } from '#platform/errors.ts';
import { currencyCode, decimalMark, type Mark, type ReadAmount, readAmount } from './amounts.ts';
import { momentOf } from './moments.ts';
import type { DraftOrder, OrderFile } from './order-file.ts';
import { pieceWithTax, settled, type TaxState, taxFactor, taxStateOf, withTax } from './net-amounts.ts';
import { type Column, columnIn, plainTitle } from './order-columns.ts';
import { addressReader, type RowAddress } from './row-address.ts';
import { shownCell } from './rejection-text.ts';
import { cutNumber, tableRecords } from './table-records.ts';
import { taxRate } from './tax-rate.ts';

type Cell = (record: readonly string[], column: Column) => string;

/** Lines above the header, as eBay writes them. */
const MOST_TITLES = 10;

const plain = (record: readonly string[]): string[] => record.map(plainTitle);

/** Orders of a table with a line a row, as shops and marketplaces export them. @throws KontorError where it is none */
export function readOrderTable(text: string): OrderFile {
  const records = tableRecords(
    text,
    'Die Datei ist nicht lesbar. Erwartet wird eine CSV-Tabelle mit Kopfzeile oder openTRANS. Es wurde nichts gespeichert.',
  );
  const needed = ['order', 'sku', 'quantity'] as const;
  const named = records
    .slice(0, MOST_TITLES)
    .findIndex((record) => needed.every((column) => columnIn(plain(record), column) >= 0));
  const at = Math.max(0, named);
  const names = plain(records[at] ?? []);
  const rows = records.slice(at + 1);
  const columnOf = (column: Column) => columnIn(names, column);
  const missing = needed.filter((column) => columnOf(column) === -1);
  if (missing.length > 0) {
    const german = { order: 'Bestellnummer', sku: 'Artikelnummer', quantity: 'Menge' };
    throw unprocessable(
      'no_columns',
      `In der Kopfzeile fehlt: ${missing.map((column) => german[column]).join(', ')}. Es wurde nichts gespeichert.`,
    );
  }
  const cell: Cell = (record, column) => record[columnOf(column)]?.trim() ?? '';
  const isClosing = (record: readonly string[]) =>
    record.length < names.length / 2 &&
    cell(record, 'sku') + cell(record, 'quantity') === '' &&
    // What is left of a row that was cut off is refused by its number.
    !/\d/.test(cell(record, 'order'));
  const groups = Map.groupBy(
    rows.filter((record) => !isClosing(record)),
    (record) => {
      const isBrokenOff = cell(record, 'order') === '0' && cell(record, 'shopOrder') !== '';
      return isBrokenOff ? `${brokenOff}${cell(record, 'shopOrder')}` : cell(record, 'order');
    },
  );
  groups.delete('');
  const addressOf = addressReader(names);
  const decimal = decimalMark(amountsOf(rows, cell));
  const orders = [...groups].map(([orderid, lines]) =>
    orderOf({ orderid, records: lines, decimal }, addressOf(lines[0] ?? []), cell),
  );
  return { orders, cancelRequests: [] };
}

/** Shopware numbers orders that were broken off 0: only the id within the shop names them. */
const brokenOff = '0, im Shop ';
const brokenOffText = 'Die Bestellung hat keine Nummer (0). Shopware schreibt so Bestellungen, die abgebrochen wurden.';

type OrderRows = { orderid: string; records: readonly string[][]; decimal: Mark | undefined };

/** Texts that can only be amounts: in the column of shipping may stand how a parcel goes. */
function* amountsOf(rows: readonly (readonly string[])[], cell: Cell): Generator<string> {
  for (const row of rows) {
    for (const [column] of amountColumns) if (column !== 'shipping') yield cell(row, column);
    yield cell(row, 'total');
  }
}

function orderOf({ orderid, records, decimal }: OrderRows, { country, person }: RowAddress, cell: Cell): DraftOrder {
  const [first = []] = records;
  const currency = currencyCode(cell(first, 'currency'));
  const money = { currency, decimal };
  const state = taxStateOf(cell(first, 'taxState'), cell(first, 'taxFree'));
  const seen = new Map<string, number>();
  const found = records.map((record) => {
    const line = lineOf(record, money, state, cell);
    // Without ids of lines the article names them; twice the same one gets a number.
    const named = cell(record, 'line') || line.sku;
    const times = (seen.get(named) ?? 0) + 1;
    seen.set(named, times);
    return { ...line, productid: times === 1 ? named : `${named} (${times})` };
  });
  const isOfOrder = new Set(records.map((record) => cell(record, 'shipping'))).size === 1;
  const shipped = isOfOrder && cell(first, 'lineShipping') === '' ? shippedOnce(found) : found;
  const lines = [...shipped, ...discountOf(first, money, cell)];
  return {
    orderid,
    placed_at: momentOf(cell(first, 'placed')),
    ship_by: cell(first, 'shipBy') === '' ? undefined : momentOf(cell(first, 'shipBy')),
    currency,
    country,
    fault:
      (orderid.startsWith(brokenOff) ? brokenOffText : undefined) ??
      cutNumber(orderid, 'Bestellnummer') ??
      numberFault(records, money, cell) ??
      (state === 'net' && found.some((line) => line.unit_cents !== null && line.tax_rate === null)
        ? noRate
        : undefined),
    buyer_order_number: cell(first, 'buyerNumber'),
    lines: state === 'net' ? settled(lines, amountIn(first, 'total', money, cell).cents) : lines,
    persons: person === undefined ? {} : { delivery: person },
  };
}

const noRate =
  'Die Preise sind netto, und bei einer Position steht kein Steuersatz: Was der Käufer zahlt, ist damit unbekannt. Bitte exportieren Sie den Steuersatz jeder Position mit.';

/** What is taken off the whole order, as a line below zero. */
function discountOf(first: readonly string[], money: Money, cell: Cell): DraftOrder['lines'] {
  const cents = Math.abs(amountIn(first, 'discount', money, cell).cents ?? 0);
  if (cents === 0) return [];
  const line = { productid: 'discount', sku: 'discount', title: '', ordered: 1, tax_rate: null, shipping_cents: 0 };
  return [{ ...line, unit_cents: -cents }];
}

/** Shops write an order's shipping on each of its rows: it counts once, on a line that is no voucher. */
function shippedOnce(lines: DraftOrder['lines']): DraftOrder['lines'] {
  const bearer = Math.max(
    0,
    lines.findIndex(({ unit_cents: unit, ordered }) => (unit ?? 0) * ordered >= 0),
  );
  return lines.map((line, index) => (index === bearer ? line : { ...line, shipping_cents: 0 }));
}

/** The first number that may mean two or is none, in words for people. */
function numberFault(records: readonly (readonly string[])[], money: Money, cell: Cell): string | undefined {
  for (const [index, record] of records.entries()) {
    const quantity = cell(record, 'quantity');
    if (readAmount(quantity, 'EUR').unclear)
      return `Position ${index + 1}, Menge: „${quantity}“ kann zweierlei heißen, zum Beispiel 1000 oder 1. Bitte ohne Punkt und Komma schreiben.`;
    for (const [column, label] of amountColumns) {
      const text = cell(record, column);
      const { cents, unclear } = amountIn(record, column, money, cell);
      if (unclear)
        return `Position ${index + 1}, ${label}: „${text}“ kann zweierlei heißen, zum Beispiel 1.299,00 oder 1,30. Bitte mit zwei Stellen nach dem Komma schreiben.`;
      if (cents === null && isMeantAsAmount(column, text))
        return `Position ${index + 1}, ${label}: „${shownCell(text)}“ ist kein Betrag. Bitte nur die Zahl schreiben, zum Beispiel 12,50.`;
    }
  }
  return undefined;
}

/** A dash is no amount on purpose. The column of shipping may hold how a parcel goes or when, but no other digits. */
function isMeantAsAmount(column: Column, text: string): boolean {
  if (/^[-–—\s]*$/.test(text)) return false;
  const isDate = /^\d+([./-])\d+\1\d{4}\b|^\d{4}-\d+-\d+\b/.test(text);
  return column !== 'shipping' || (/\d/.test(text) && !/\p{L}/u.test(text) && !isDate);
}

const amountColumns = [
  ['price', 'Preis'],
  ['lineTotal', 'Summe'],
  ['lineShipping', 'Versandkosten'],
  ['shipping', 'Versandkosten'],
  ['lineDiscount', 'Nachlass'],
  ['discount', 'Nachlass'],
  ['shippingDiscount', 'Nachlass auf den Versand'],
] as const;

/** `decimal`: the mark of the file's amounts, where they show it. */
type Money = { currency: string; decimal: Mark | undefined };

const amountIn = (record: readonly string[], column: Column, { currency, decimal }: Money, cell: Cell): ReadAmount =>
  readAmount(cell(record, column), currency, decimal);

function lineOf(record: readonly string[], money: Money, state: TaxState, cell: Cell): DraftOrder['lines'][number] {
  const ordered = Number(cell(record, 'quantity').replace(',', '.'));
  const rate = state === 'free' ? 0 : taxRate(cell(record, 'tax'));
  const factor = taxFactor(state === 'net' ? rate : 0);
  // Shopware 5 writes what shipping costs with tax.
  const isGross = (column: Column) => column === 'shipping' && cell(record, 'shopOrder') !== '';
  const centsOf = (column: Column) => {
    const { cents } = amountIn(record, column, money, cell);
    return cents === null || isGross(column) ? cents : withTax(cents, factor);
  };
  const total = centsOf('lineTotal');
  const unit = amountIn(record, 'price', money, cell);
  const off = (column: Column) => Math.abs(centsOf(column) ?? 0);
  const shipping = centsOf('lineShipping') ?? centsOf('shipping') ?? 0;
  const price = priceOf(unit, total, { ordered, factor });
  const shipped = Number(cell(record, 'shipped'));
  const worth = Math.max(0, (price.unit_cents ?? 0) * ordered - (price.discount_cents ?? 0)) || 0;
  return {
    productid: '',
    sku: cell(record, 'sku') || cell(record, 'listing'),
    title: cell(record, 'title'),
    ordered,
    ...price,
    discount_cents: (price.discount_cents ?? 0) + Math.min(off('lineDiscount'), worth),
    ...(shipped > 0 ? { shipped } : {}),
    tax_rate: rate,
    shipping_cents: Math.max(0, shipping - off('shippingDiscount')),
  };
}

/** The price of one piece; where it has parts of a cent, or only the line's sum is named, one whose pieces are the sum less their discount. */
function priceOf(
  { cents, exact }: ReadAmount,
  total: number | null,
  { ordered, factor }: { ordered: number; factor: number },
): Pick<DraftOrder['lines'][number], 'unit_cents' | 'discount_cents'> {
  const isPlain = factor === taxFactor(0);
  const parted = isPlain ? (/\.\d\d\d/.test(exact) ? pieceOfPrice(exact, ordered) : null) : null;
  if (parted !== null) return { unit_cents: parted.unit, discount_cents: parted.discount };
  const taxed = isPlain ? null : pieceWithTax(exact, ordered, factor);
  if (taxed !== null) return taxed;
  if (cents !== null || total === null || !(ordered > 0))
    return { unit_cents: cents === null ? null : withTax(cents, factor) };
  const piece = pieceOfSum(total, ordered);
  return { unit_cents: piece.unit, discount_cents: piece.discount };
}
