import { pieceOfPrice, pieceOfSum } from '#marketplaces/amounts.ts';
import type { DraftOrder } from '#orders/files/order-file.ts';

type Line = DraftOrder['lines'][number];
type Sum = { unit_cents: number | null; discount_cents?: number };

/** Whether the amounts of an order include tax (gross), exclude it (net), or the order has none (free). */
export type TaxState = 'gross' | 'net' | 'free';

const isYes = (text: string): boolean => /^(?:1|true|ja|yes)$/i.test(text);

/** Returns the tax state from Shopware's columns: `net` 1 and `taxFree` 1 in version 5; net, gross and tax-free in version 6. */
export function taxStateOf(state: string, taxFree: string): TaxState {
  if (isYes(taxFree) || /^(?:tax[ _-]?free|steuerfrei)$/i.test(state)) return 'free';
  return isYes(state) || /^net(?:to)?$/i.test(state) ? 'net' : 'gross';
}

/** Returns the factor that adds tax to an amount, times 10,000. `rate` in hundredths of a percent. */
export const taxFactor = (rate: number | null): number => 10_000 + (rate ?? 0);

/** Rates of VAT in Europe, in hundredths of a percent. */
const rates = [
  0, 210, 260, 300, 380, 400, 500, 550, 600, 700, 800, 810, 900, 1000, 1200, 1300, 1350, 1400, 1700, 1800, 1900, 2000,
  2100, 2200, 2300, 2400, 2500, 2550, 2700,
];
const german: ReadonlySet<number> = new Set([0, 700, 1900]);

/**
 * Returns the only rate that yields this tax on a net sum (hundredths of a percent); null if none does or several do, as for
 * small sums. `roundings`: how often cents were rounded.
 */
export function rateOfTax(net: number, tax: number, roundings = 1): number | null {
  if (net <= 0 || tax < 0) return null;
  const found = rates.filter((rate) => Math.abs((net * rate) / 10_000 - tax) <= 0.62 * roundings);
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** `factor`: undefined if the sums do not show it. `isMixed`: they show that the lines have several rates. */
export type OrderTax = { factor?: number; rate: number | null; isMixed: boolean };

/**
 * Returns the tax of a whole order from its total and the tax in it. With several lines only an existing rate counts: a value
 * between two rates belongs to no line. 19 and 7 percent together may look like another country's rate.
 */
export function orderTax(
  total: number | null,
  tax: number | null,
  { lines, country }: { lines: number; country: string },
): OrderTax {
  if (total === null || tax === null || tax < 0 || total <= tax) return { rate: null, isMixed: false };
  const rate = rateOfTax(total - tax, tax, lines + 1);
  if (lines === 1)
    return {
      factor: rate === null ? Math.round((10_000 * total) / (total - tax)) : taxFactor(rate),
      rate,
      isMixed: false,
    };
  const isOne = rate !== null && (country === '' || country === 'DE' ? german.has(rate) : rate !== 1200);
  return isOne ? { factor: taxFactor(rate), rate, isMixed: false } : { rate: null, isMixed: true };
}

export const withTax = (cents: number, factor: number): number => Math.round((cents * factor) / 10_000);

/**
 * Returns the price of one piece with tax, from a price that may be below zero; rounded once for all pieces. null: no whole
 * pieces.
 */
export function pieceWithTax(exact: string, ordered: number, factor: number): Sum | null {
  const isNegative = exact.startsWith('-');
  const piece = pieceOfPrice(exact.replace('-', ''), ordered, { factor });
  if (piece === null) return null;
  const sign = isNegative ? -1 : 1;
  return { unit_cents: sign * piece.unit, discount_cents: sign * piece.discount };
}

const worthOf = ({ unit_cents: unit, ordered, discount_cents: discount = 0 }: Line): number =>
  (unit ?? 0) * ordered - discount;

/**
 * Returns the lines with the dearest changed by a few cents, so that they add up to the shop's total: the shop adds tax to the
 * sum. A larger difference has another cause and is left.
 */
export function fitToTotal(lines: DraftOrder['lines'], total: number | null): DraftOrder['lines'] {
  const difference = (total ?? 0) - lines.reduce((sum, line) => sum + worthOf(line) + line.shipping_cents, 0);
  const [dearest] = lines.toSorted((one, other) => worthOf(other) - worthOf(one));
  if (total === null || !dearest || difference === 0 || !(Math.abs(difference) <= lines.length)) return lines;
  const sum = worthOf(dearest) + difference;
  if (!(sum > 0) || !(dearest.ordered > 0)) return lines;
  const { unit, discount } = pieceOfSum(sum, dearest.ordered);
  return lines.map((line) => (line === dearest ? { ...line, unit_cents: unit, discount_cents: discount } : line));
}

/**
 * Returns a rate in hundredths of a percent, from a share (0.19) or percents (19): openTRANS specifies shares, programs write
 * both. null: neither.
 */
export function taxRate(text: string): number | null {
  const isPercent = text.includes('%');
  const bare = text.replace('%', '').replace(',', '.').trim();
  const rate = Number(bare);
  if (bare === '' || !(rate >= 0 && rate <= 100)) return null;
  return Math.round(rate < 1 && !isPercent ? rate * 10_000 : rate * 100);
}

/** Returns a rate in hundredths of a percent, from percents: 0,5 is no half. null: not a rate. */
export const percentRate = (text: string): number | null => taxRate(`${text}%`);
