import { z } from 'zod';

const share = z.number().min(0).max(1).default(0);

/** How often each thing goes wrong, as a share of the occasions (0 never, 1 always). All of them happen at the real marketplace. */
export const Faults = z.object({
  /** Calls: 429 although there was room; 500; 503; hung up before or after the work was done; an error page instead of JSON. */
  throttle: share,
  error500: share,
  error503: share,
  cutBefore: share,
  cutAfter: share,
  html: share,
  /** A token that is refused before its time. */
  tokenEarly: share,
  /** Prices: refused with issues; taken but never shown; shown in another currency. */
  invalid: share,
  neverLive: share,
  foreignCurrency: share,
  /** Messages: late, twice, lost; without our own offer; without saying who has the box; with the other case of keys. */
  delayed: share,
  doubled: share,
  lost: share,
  ownMissing: share,
  boxMissing: share,
  otherCase: share,
  /** Offers that are nonsense: a cent, a hundred times the price, shipping below zero, another currency. */
  cent: share,
  moon: share,
  negativeShipping: share,
  otherCurrency: share,
  /** Buyers, where there are any: a price that falls far is found by bargain hunters; an order is cancelled later. */
  bargainRun: share,
  cancelled: share,
  /** Orders: pending for a while; the buyer asks to cancel; comes back after it arrived; sent by Amazon; in a program that confirms by itself. */
  pending: share,
  asksToCancel: share,
  givenBack: share,
  byAmazon: share,
  shipPlus: share,
  /** Parcels and quantities taken without effect; parcels shown only after minutes. */
  ignored: share,
  packageLate: share,
  /** Pages of orders: the next one begins with an order of the one before. */
  pagesOverlap: share,
  /** Feeds: worked on much later; broken off in the middle; a message refused. */
  feedSlow: share,
  feedFatal: share,
  feedRefused: share,
});
export type Faults = z.infer<typeof Faults>;

export const noFaults: Faults = Faults.parse({});

/** Numbers from 0 to below 1; the same ones for the same seed. */
export type Chance = { next(): number };

export const happens = (chance: Chance, share: number): boolean => share > 0 && chance.next() < share;
export const between = (chance: Chance, from: number, to: number): number =>
  Math.floor(from + chance.next() * (to - from + 1));
