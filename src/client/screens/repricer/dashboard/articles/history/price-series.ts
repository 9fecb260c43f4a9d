import type { PriceMoment } from '#shared/repricer/dashboard.ts';
import { centsOf } from '#client/screens/repricer/dashboard/articles/list/article-columns.ts';

/** A seller's price in a minute. */
export type SellerPrice = {
  /** Including shipping. */
  readonly cents: number;
  readonly shipping: number;
  readonly box: boolean;
};
/** A seller's prices over all minutes; null without an offer. */
export type SellerLine = {
  readonly seller: string;
  readonly own: boolean;
  readonly prices: readonly (SellerPrice | null)[];
};
export type PriceSeries = {
  /** Times (ISO) of the minutes, oldest first. */
  readonly minutes: readonly string[];
  /** Our own first, then those that held the buy box longest, then the cheapest. */
  readonly lines: readonly SellerLine[];
};

const minuteMs = 60_000;
const minuteOf = (iso: string) => Math.floor(Date.parse(iso) / minuteMs) * minuteMs;

/** RDA-07: converts the history to lines. If a seller has several offers in a minute, the cheapest for buyers counts. */
export function priceSeries(moments: readonly PriceMoment[]): PriceSeries {
  const byMinute = new Map<number, Map<string, SellerPrice>>();
  const own = new Set<string>();
  for (const { amz_timestamp, comp_data } of moments) {
    const minute = minuteOf(amz_timestamp);
    if (Number.isNaN(minute)) continue;
    const prices = byMinute.get(minute) ?? new Map<string, SellerPrice>();
    byMinute.set(minute, prices);
    for (const offer of comp_data) {
      if (offer.own) own.add(offer.sellerid);
      prices.set(offer.sellerid, cheaper(prices.get(offer.sellerid), askedIn(offer)));
    }
  }
  const times = [...byMinute.keys()].sort((one, other) => one - other);
  const sellers = new Set(times.flatMap((time) => [...(byMinute.get(time)?.keys() ?? [])]));
  const lines = [...sellers].map((seller) => ({
    seller,
    own: own.has(seller),
    prices: times.map((time) => byMinute.get(time)?.get(seller) ?? null),
  }));
  return { minutes: times.map((time) => new Date(time).toISOString()), lines: lines.sort(foremost) };
}

function askedIn({ offer_price, offer_shipping_price, is_buybox }: PriceMoment['comp_data'][number]): SellerPrice {
  const shipping = centsOf(offer_shipping_price) ?? 0;
  return { cents: (centsOf(offer_price) ?? 0) + shipping, shipping, box: is_buybox };
}

/** Returns the cheaper of two offers; the seller has the buy box if either offer has it. */
function cheaper(one: SellerPrice | undefined, other: SellerPrice): SellerPrice {
  if (one === undefined) return other;
  return { ...(other.cents < one.cents ? other : one), box: one.box || other.box };
}

function foremost(one: SellerLine, other: SellerLine): number {
  if (one.own !== other.own) return one.own ? -1 : 1;
  return boxesOf(other) - boxesOf(one) || lowestOf(one) - lowestOf(other) || (one.seller < other.seller ? -1 : 1);
}
const boxesOf = ({ prices }: SellerLine) => prices.filter((one) => one?.box === true).length;
const lowestOf = ({ prices }: SellerLine) =>
  prices.reduce((lowest, one) => Math.min(lowest, one?.cents ?? Infinity), Infinity);

/** Joins earlier and later minutes, each minute once. */
export function joinMoments(earlier: readonly PriceMoment[], later: readonly PriceMoment[]): readonly PriceMoment[] {
  const first = later[0]?.amz_timestamp;
  return first === undefined ? earlier : [...earlier.filter(({ amz_timestamp }) => amz_timestamp < first), ...later];
}

const inBerlin = new Intl.DateTimeFormat('sv-SE', {
  dateStyle: 'short',
  timeStyle: 'short',
  timeZone: 'Europe/Berlin',
});
/** Formats as 2026-11-23 10:04, as the specification writes the times of this chart. */
export const formatMinute = (iso: string): string => inBerlin.format(new Date(iso));
