import { pieceOfPrice, pieceOfSum } from '#marketplaces/amounts.ts';
import { type Mark, type ReadAmount, readAmount } from './amounts/amounts.ts';
import {
  type OrderTax,
  pieceWithTax,
  rateOfTax,
  type TaxState,
  taxFactor,
  taxRate,
  withTax,
} from './amounts/net-amounts.ts';
import type { DraftOrder } from './order-file.ts';
import type { Column } from './order-columns.ts';

type Row = readonly string[];
type Line = DraftOrder['lines'][number];
export type Cell = (record: Row, column: Column) => string;

/**
 * How the amounts of an order are written. `decimal`: the decimal mark of a column, if the file shows it. `inCents`: amounts are
 * whole numbers of cents. `tax`: what the order's sums show of net prices without their own rate.
 */
export type Money = {
  currency: string;
  decimal: (column: Column) => Mark | undefined;
  inCents: boolean;
  state: TaxState;
  tax?: OrderTax;
};

export function amountIn(record: Row, column: Column, { currency, decimal, inCents }: Money, cell: Cell): ReadAmount {
  const text = cell(record, column);
  if (inCents && /^\d{1,12}$/.test(text)) return readAmount(text.padStart(3, '0').replace(/(\d\d)$/, '.$1'), currency);
  return readAmount(text, currency, decimal(column));
}

/** Returns the quantity of a row: 1 at Kaufland, which has one row per piece. */
export const quantityIn = (record: Row, cell: Cell): string =>
  cell(record, 'quantity') || (cell(record, 'unit') === '' ? '' : '1');

/** Returns the shipping cost of a row from whichever column has it. */
export const shippingIn = (record: Row, cell: Cell): string =>
  cell(record, 'shipping') || cell(record, 'grossShipping');

/** Returns a line of an order; the caller sets its `productid`. */
export function lineOf(record: Row, money: Money, cell: Cell): Line {
  const { state } = money;
  const ordered = Number(quantityIn(record, cell).replace(',', '.'));
  const cents = (column: Column) => amountIn(record, column, money, cell).cents;
  const net = amountIn(record, 'netPrice', money, cell);
  const isNet =
    net.cents !== null && cents('price') === null && cents('lineTotal') === null && taxedTotal(cents) === null;
  const rate = state === 'free' ? 0 : rateOf(record, cents, cell);
  const factor = isNet || state === 'net' ? taxedBy(rate, money) : taxFactor(0);
  const taxed = (column: Column) => {
    const amount = cents(column);
    return amount === null ? null : withTax(amount, state === 'net' ? (factor ?? taxFactor(0)) : taxFactor(0));
  };
  const total = taxed('lineTotal') ?? taxedTotal(cents);
  const unit = isNet ? net : amountIn(record, 'price', money, cell);
  const price =
    isNet && factor === undefined
      ? { unit_cents: null }
      : priceOf(unit, total, { ordered, factor: factor ?? taxFactor(0) });
  const worth = Math.max(0, (price.unit_cents ?? 0) * ordered - (price.discount_cents ?? 0)) || 0;
  const off = (column: Column) => Math.abs(taxed(column) ?? 0);
  return {
    productid: '',
    sku: cell(record, 'sku') || cell(record, 'listing'),
    title: cell(record, 'title'),
    ordered,
    ...price,
    discount_cents: (price.discount_cents ?? 0) + Math.min(off('lineDiscount'), worth),
    tax_rate: rate ?? (isNet ? (money.tax?.rate ?? null) : null),
    shipping_cents: Math.max(0, shippingOf(record, taxed, { money, isNet, cell }) - off('shippingDiscount')),
  };
}

/** Returns the sum a buyer pays for a line: net plus tax; null if either is missing. */
function taxedTotal(cents: (column: Column) => number | null): number | null {
  const net = cents('netTotal');
  const tax = cents('lineTax');
  return net === null || tax === null ? null : net + tax;
}

/** Returns the factor of a net price; undefined if the tax is unknown. */
function taxedBy(rate: number | null, { state, tax }: Money): number | undefined {
  if (state === 'free') return taxFactor(0);
  return rate === null ? tax?.factor : taxFactor(rate);
}

function rateOf(record: Row, cents: (column: Column) => number | null, cell: Cell): number | null {
  const named = taxRate(cell(record, 'tax'));
  const sum = cents('netTotal');
  const tax = cents('lineTax');
  return named ?? (sum === null || tax === null ? null : rateOfTax(sum, tax));
}

type ShippingOf = { money: Money; isNet: boolean; cell: Cell };

/** Returns the shipping cost with tax: Shopware 5 writes it with tax, WooCommerce without. */
function shippingOf(record: Row, taxed: (column: Column) => number | null, { money, isNet, cell }: ShippingOf): number {
  const own = taxed('lineShipping');
  if (own !== null) return own;
  const gross = amountIn(record, 'grossShipping', money, cell).cents;
  if (gross !== null && (isNet || money.state === 'net' || cell(record, 'shipping') === '')) return gross;
  const { cents } = amountIn(record, 'shipping', money, cell);
  const tax = amountIn(record, 'shippingTax', money, cell).cents;
  if (tax !== null) return (cents ?? 0) + tax;
  if (isNet && money.tax?.factor !== undefined) return withTax(cents ?? 0, money.tax.factor);
  return (cell(record, 'taxFree') === '' ? taxed('shipping') : cents) ?? 0;
}

/**
 * Returns the price of one piece. If it has parts of a cent, or only the line's sum is given, the pieces less their discount add
 * up to that sum.
 */
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
