import { z } from 'zod';

const share = z.number().min(0).max(1).default(0);

/** Probability of each fault (0 never, 1 always). All of them happen at the real marketplace. */
export const Faults = z.object({
  /**
   * Calls: 429 although the limit was kept; 500; 503; disconnected before or after the work was done; an error page instead of
   * JSON.
   */
  throttle: share,
  error500: share,
  error503: share,
  cutBefore: share,
  cutAfter: share,
  html: share,
  /** A token that is refused before it expires. */
  tokenEarly: share,
  /** Prices: refused with issues; accepted but never shown; shown in another currency. */
  invalid: share,
  neverLive: share,
  foreignCurrency: share,
  /** Messages: late, twice, lost; without our own offer; without the BuyBox winner; with keys in the other case. */
  delayed: share,
  doubled: share,
  lost: share,
  ownMissing: share,
  boxMissing: share,
  otherCase: share,
  /** Nonsensical offers: one cent, a hundred times the price, negative shipping, another currency. */
  cent: share,
  moon: share,
  negativeShipping: share,
  otherCurrency: share,
  /** Buyers, if there are any: a price that drops far attracts bargain hunters; an order is cancelled later. */
  bargainRun: share,
  cancelled: share,
  /**
   * Orders: pending for a while; a buyer's wish to cancel; returned after arrival; shipped by Amazon; in a program that confirms
   * by itself.
   */
  pending: share,
  asksToCancel: share,
  givenBack: share,
  byAmazon: share,
  shipPlus: share,
  /** Parcels and quantities accepted without effect; parcels shown only after minutes. */
  ignored: share,
  packageLate: share,
  /** Pages of orders: a page begins with an order of the page before. */
  pagesOverlap: share,
  /** Feeds: processed much later; aborted halfway; a message refused. */
  feedSlow: share,
  feedFatal: share,
  feedRefused: share,
});
export type Faults = z.infer<typeof Faults>;

export const noFaults: Faults = Faults.parse({});

/** A seeded source of numbers from 0 to below 1; the same seed gives the same numbers. */
export type Chance = { next(): number };

export const happens = (chance: Chance, share: number): boolean => share > 0 && chance.next() < share;
export const between = (chance: Chance, from: number, to: number): number =>
  Math.floor(from + chance.next() * (to - from + 1));
