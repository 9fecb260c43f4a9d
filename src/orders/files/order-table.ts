import { pieceOfPrice, pieceOfSum } from '#marketplaces/amounts.ts';
import { unprocessable } from '#platform/errors.ts';
import { currencyCode, type ReadAmount, readAmount } from './amounts.ts';
import { momentOf } from './moments.ts';
import type { DraftOrder, OrderFile } from './order-file.ts';
import { type Column, columnIn } from './order-columns.ts';
import { addressReader, type RowAddress } from './row-address.ts';
import { shownCell } from './rejection-text.ts';
import { cutNumber, tableRecords } from './table-records.ts';
import { taxRate } from './tax-rate.ts';

type Cell = (record: readonly string[], column: Column) => string;

/** Lines above the header, as eBay writes them. */
const MOST_TITLES = 10;

const small = (record: readonly string[]): string[] => record.map((title) => title.toLowerCase());

/** Orders of a table with a line a row, as shops and marketplaces export them. @throws KontorError where it is none */
export function readOrderTable(text: string): OrderFile {
  const records = tableRecords(
    text,
    'Die Datei ist nicht lesbar. Erwartet wird eine CSV-Tabelle mit Kopfzeile oder openTRANS. Es wurde nichts gespeichert.',
  );
  const needed = ['order', 'sku', 'quantity'] as const;
  const named = records
    .slice(0, MOST_TITLES)
    .findIndex((record) => needed.every((column) => columnIn(small(record), column) >= 0));
  const at = Math.max(0, named);
  const names = small(records[at] ?? []);
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
  const orders = [...groups].map(([orderid, lines]) => orderOf(orderid, lines, addressOf(lines[0] ?? []), cell));
  return { orders, cancelRequests: [] };
}

/** Shopware numbers orders that were broken off 0: only the id within the shop names them. */
const brokenOff = '0, im Shop ';
const brokenOffText = 'Die Bestellung hat keine Nummer (0). Shopware schreibt so Bestellungen, die abgebrochen wurden.';

function orderOf(
  orderid: string,
  records: readonly string[][],
  { country, person }: RowAddress,
  cell: Cell,
): DraftOrder {
  const [first = []] = records;
  const currency = currencyCode(cell(first, 'currency'));
  const seen = new Map<string, number>();
  const lines = records.map((record) => {
    const line = lineOf(record, currency, cell);
    // Without ids of lines the article names them; twice the same one gets a number.
    const named = cell(record, 'line') || line.sku;
    const times = (seen.get(named) ?? 0) + 1;
    seen.set(named, times);
    return { ...line, productid: times === 1 ? named : `${named} (${times})` };
  });
  const isOfOrder = new Set(records.map((record) => cell(record, 'shipping'))).size === 1;
  return {
    orderid,
    placed_at: momentOf(cell(first, 'placed')),
    ship_by: cell(first, 'shipBy') === '' ? undefined : momentOf(cell(first, 'shipBy')),
    currency,
    country,
    fault:
      (orderid.startsWith(brokenOff) ? brokenOffText : undefined) ??
      cutNumber(orderid, 'Bestellnummer') ??
      numberFault(records, currency, cell),
    buyer_order_number: cell(first, 'buyerNumber'),
    lines: [
      ...(isOfOrder && cell(first, 'lineShipping') === '' ? shippedOnce(lines) : lines),
      ...discountOf(first, currency, cell),
    ],
    persons: person === undefined ? {} : { delivery: person },
  };
}

/** What is taken off the whole order, as a line below zero. */
function discountOf(first: readonly string[], currency: string, cell: Cell): DraftOrder['lines'] {
  const cents = Math.abs(readAmount(cell(first, 'discount'), currency).cents ?? 0);
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
function numberFault(records: readonly (readonly string[])[], currency: string, cell: Cell): string | undefined {
  for (const [index, record] of records.entries()) {
    const quantity = cell(record, 'quantity');
    if (readAmount(quantity, 'EUR').unclear)
      return `Position ${index + 1}, Menge: „${quantity}“ kann zweierlei heißen, zum Beispiel 1000 oder 1. Bitte ohne Punkt und Komma schreiben.`;
    for (const [column, label] of amountColumns) {
      const text = cell(record, column);
      const { cents, unclear } = readAmount(text, currency);
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

function lineOf(record: readonly string[], currency: string, cell: Cell): DraftOrder['lines'][number] {
  const ordered = Number(cell(record, 'quantity').replace(',', '.'));
  const centsOf = (column: Column) => readAmount(cell(record, column), currency).cents;
  const total = centsOf('lineTotal');
  const unit = readAmount(cell(record, 'price'), currency);
  const off = (column: Column) => Math.abs(centsOf(column) ?? 0);
  const shipping = centsOf('lineShipping') ?? centsOf('shipping') ?? 0;
  const price = priceOf(unit, total, ordered);
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
    tax_rate: taxRate(cell(record, 'tax')),
    shipping_cents: Math.max(0, shipping - off('shippingDiscount')),
  };
}

/** The price of one piece; where it has parts of a cent, or only the line's sum is named, one whose pieces are the sum less their discount. */
function priceOf(
  { cents, exact }: ReadAmount,
  total: number | null,
  ordered: number,
): Pick<DraftOrder['lines'][number], 'unit_cents' | 'discount_cents'> {
  const parted = /\.\d\d\d/.test(exact) ? pieceOfPrice(exact, ordered) : null;
  if (parted !== null) return { unit_cents: parted.unit, discount_cents: parted.discount };
  if (cents !== null || total === null || !(ordered > 0)) return { unit_cents: cents };
  const piece = pieceOfSum(total, ordered);
  return { unit_cents: piece.unit, discount_cents: piece.discount };
}
