import { pieceOfPrice, pieceOfSum } from '#marketplaces/amounts.ts';
import type { DraftOrder } from './order-file.ts';

type Line = DraftOrder['lines'][number];
type Sum = { unit_cents: number | null; discount_cents?: number };

/** What the amounts of an order are: with the tax that the buyer pays, without it, or of an order that has none. */
export type TaxState = 'gross' | 'net' | 'free';

const isYes = (text: string): boolean => /^(?:1|true|ja|yes)$/i.test(text);

/** As Shopware writes it: `net` 1 and `taxFree` 1 in the fifth version, net, gross and tax-free in the sixth. */
export function taxStateOf(state: string, taxFree: string): TaxState {
  if (isYes(taxFree) || /^(?:tax[ _-]?free|steuerfrei)$/i.test(state)) return 'free';
  return isYes(state) || /^net(?:to)?$/i.test(state) ? 'net' : 'gross';
}

/** What times ten thousand an amount becomes with its tax. */
export const taxFactor = (rate: number | null): number => 10_000 + (rate ?? 0);

/** The factor of a whole order, of what it costs and the tax in that. */
export const orderFactor = (total: number | null, tax: number | null): number | undefined =>
  total === null || tax === null || tax < 0 || total <= tax ? undefined : Math.round((10_000 * total) / (total - tax));

/** The rate that a rounded factor stands for: whole percents; null where it is none, as of an order with several rates. */
export function rateOfFactor(factor: number | undefined): number | null {
  if (factor === undefined) return null;
  const rate = Math.round((factor - 10_000) / 100) * 100;
  return Math.abs(factor - 10_000 - rate) <= 10 ? rate : null;
}

export const withTax = (cents: number, factor: number): number => Math.round((cents * factor) / 10_000);

/** The price of one piece with tax, of a price that may be below zero; rounded once for all pieces. null: no whole pieces. */
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
 * The lines, the dearest a few cents more or less, so that they are what the shop says that the order costs: it adds the tax to the sum. A larger
 * difference has another cause and stays.
 */
export function settled(lines: DraftOrder['lines'], total: number | null): DraftOrder['lines'] {
  const difference = (total ?? 0) - lines.reduce((sum, line) => sum + worthOf(line) + line.shipping_cents, 0);
  const [dearest] = lines.toSorted((one, other) => worthOf(other) - worthOf(one));
  if (total === null || !dearest || difference === 0 || !(Math.abs(difference) <= lines.length)) return lines;
  const sum = worthOf(dearest) + difference;
  if (!(sum > 0) || !(dearest.ordered > 0)) return lines;
  const { unit, discount } = pieceOfSum(sum, dearest.ordered);
  return lines.map((line) => (line === dearest ? { ...line, unit_cents: unit, discount_cents: discount } : line));
}
