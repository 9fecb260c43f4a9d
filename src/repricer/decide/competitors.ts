import type { Offer } from '#marketplaces/port.ts';
import { mainCondition } from '#shared/repricer/condition.ts';
import type { PricedItem } from '#repricer/model/priced-item.ts';
import type { Competitor, RemovalReason } from '#shared/repricer/decision.ts';
import { sellerKey, type Terms } from '#repricer/model/read-rule.ts';

export type Removed = { seller_id: string; landed_cents: number; reason: RemovalReason };

/** The offers of a snapshot that compete, and those that do not, with the reason. */
export type Field = {
  /** One entry per seller, the cheapest first. */
  competitors: Competitor[];
  removed: Removed[];
  /** The cheapest offer in the buy box that passed the filters; it need not be its seller's cheapest. */
  buyBox: Competitor | undefined;
  /** Our own offer in the buy box, whether shared or not. */
  ownBuyBox: string | undefined;
};

/** Compares by price; the other criteria only make the result independent of the order of the offers. */
function before(one: Competitor, other: Competitor): boolean {
  if (one.landed_cents !== other.landed_cents) return one.landed_cents < other.landed_cents;
  if (one.seller_id !== other.seller_id) return one.seller_id < other.seller_id;
  return one.is_buybox === other.is_buybox ? one.listing_cents < other.listing_cents : one.is_buybox;
}

/**
 * Returns the competitors: filters in their fixed order, one entry per seller, ties by seller id so that a choice is repeatable.
 */
export function competitorsOf(terms: Terms, item: PricedItem, offers: readonly Offer[]): Field {
  const own = item.own.seller_ids.map(sellerKey);
  const condition = mainCondition(item.own.condition);
  const sorted: Competitor[] = [];
  const removed: Removed[] = [];
  let ownBuyBox: string | undefined;
  for (const offer of offers) {
    const seller = sellerKey(offer.seller_id);
    const isOwn = own.includes(seller);
    if (isOwn && offer.is_buybox && (ownBuyBox === undefined || seller < ownBuyBox)) ownBuyBox = seller;
    const reason = removalOf(terms, { item, condition, isOwn, seller }, offer);
    if (reason === undefined) insert(sorted, entryOf(seller, offer));
    else
      removed.push({
        seller_id: seller,
        landed_cents: offer.listing_price_cents + (offer.shipping_cents ?? 0),
        reason,
      });
  }
  const competitors: Competitor[] = [];
  let buyBox: Competitor | undefined;
  let marks = 0;
  for (const entry of sorted) {
    if (buyBox === undefined && entry.is_buybox) buyBox = entry;
    const mark = markOf(entry.seller_id);
    if ((marks & mark) !== 0 && isAmong(competitors, entry.seller_id)) {
      removed.push({ seller_id: entry.seller_id, landed_cents: entry.landed_cents, reason: 'SAME_SELLER' });
    } else competitors.push(entry);
    marks |= mark;
  }
  return { competitors, removed, buyBox, ownBuyBox };
}

/** Returns one of 32 bits for a seller: a bit not seen before proves a new seller, which most of them are. */
function markOf(seller: string): number {
  const { length } = seller;
  return 1 << (seller.charCodeAt(length - 1) + 7 * seller.charCodeAt(length - 2));
}

/** A short list is searched faster than a set is built. */
function isAmong(competitors: readonly Competitor[], seller: string): boolean {
  for (const { seller_id } of competitors) if (seller_id === seller) return true;
  return false;
}

/** Inserts in order: usually at most twenty offers, so this is cheaper than sorting afterwards. */
function insert(sorted: Competitor[], entry: Competitor): void {
  let index = sorted.length;
  sorted.push(entry);
  for (let above = sorted[index - 1]; above !== undefined && before(entry, above); above = sorted[index - 1]) {
    sorted[index] = above;
    index--;
  }
  sorted[index] = entry;
}

function entryOf(seller: string, offer: Offer): Competitor {
  const shipping = offer.shipping_cents ?? 0;
  return {
    seller_id: seller,
    listing_cents: offer.listing_price_cents,
    shipping_cents: shipping,
    landed_cents: offer.listing_price_cents + shipping,
    is_buybox: offer.is_buybox,
  };
}

type Seen = { item: PricedItem; condition: string; isOwn: boolean; seller: string };

/** Returns why an offer does not compete. Unknown feedback removes no offer: the marketplace itself sells without any. */
function removalOf(terms: Terms, { item, condition, isOwn, seller }: Seen, offer: Offer): RemovalReason | undefined {
  if (mainCondition(offer.condition) !== condition) return 'CONDITION';
  if (isOwn) return 'OWN';
  if (offer.currency !== item.currency) return 'CURRENCY';
  if (offer.listing_price_cents <= 0 || (offer.shipping_cents ?? 0) < 0) return 'PRICE';
  if (terms.excluded.has(seller)) return 'EXCLUDED';
  if (offer.feedback_count !== null && offer.feedback_count < terms.leastReviews) return 'REVIEWS';
  if (offer.feedback_rating !== null && offer.feedback_rating < terms.leastRating) return 'RATING';
  return undefined;
}
