import { z } from 'zod';
import type { Fulfilment, Offer, OfferSnapshot } from '#marketplaces/port.ts';
import { anyOf } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import { sellerKey } from './read-rule.ts';

/** One of our offers of an article that a message is about. */
export type ListingRow = {
  master: string;
  marketplace: string;
  productId: string;
  condition: string;
  item: string;
  fulfilment: Fulfilment;
  account: string;
  currency: string;
};
/** New offers of an article in one catalogue. */
export type OfferUpdate = { master: string; snapshot: OfferSnapshot };

const flag = z.union([z.literal(0), z.literal(1)]);
const cents = z.number().int();
/**
 * A stored offer (`article_offers`, where views read it too): seller, shipped by the marketplace, listing price, shipping,
 * currency, holds the box, number of ratings, positive share, ours; the condition only if it differs from the article's.
 */
type StoredOffer = [
  seller: string,
  byMarketplace: 0 | 1,
  listing: number,
  shipping: number | null,
  currency: string,
  box: 0 | 1,
  count: number | null,
  rating: number | null,
  own: 0 | 1,
  condition?: string,
];

const isFlag = (value: unknown) => value === 0 || value === 1;
const isNumber = (value: unknown) => value === null || typeof value === 'number';
/** Validated by hand: millions of them are read at a time, and a schema takes ten times as long. */
function isStoredOffer(entry: unknown): entry is StoredOffer {
  if (!Array.isArray(entry)) return false;
  const [seller, byMarketplace, listing, shipping, currency, box, count, rating, own, condition]: unknown[] = entry;
  return (
    typeof seller === 'string' &&
    isFlag(byMarketplace) &&
    Number.isInteger(listing) &&
    (shipping === null || Number.isInteger(shipping)) &&
    typeof currency === 'string' &&
    isFlag(box) &&
    isNumber(count) &&
    isNumber(rating) &&
    isFlag(own) &&
    (condition === undefined || typeof condition === 'string')
  );
}

export const landedOf = ({ listing_price_cents, shipping_cents }: Offer): number =>
  listing_price_cents + (shipping_cents ?? 0);

export function offersToStore(offers: readonly Offer[], own: ReadonlySet<string>, condition: string): string {
  const rows = offers.map((offer): StoredOffer => {
    const seller = sellerKey(offer.seller_id);
    const { fulfilment, listing_price_cents, shipping_cents, currency, is_buybox } = offer;
    const entry: StoredOffer = [
      seller,
      fulfilment === 'marketplace' ? 1 : 0,
      listing_price_cents,
      shipping_cents,
      currency,
      is_buybox ? 1 : 0,
      offer.feedback_count,
      offer.feedback_rating,
      own.has(seller) ? 1 : 0,
    ];
    if (offer.condition !== condition) entry[9] = offer.condition;
    return entry;
  });
  return JSON.stringify(rows);
}

function readStored(text: string, condition: string): Offer[] {
  const list: unknown = JSON.parse(text);
  if (!Array.isArray(list) || !list.every(isStoredOffer)) throw new Error('stored offers have an unknown format');
  return list.map(([seller_id, byMarketplace, listing, shipping, currency, box, count, rating, _own, other]) => ({
    seller_id,
    condition: other ?? condition,
    fulfilment: byMarketplace === 1 ? 'marketplace' : 'merchant',
    listing_price_cents: listing,
    shipping_cents: shipping,
    currency,
    is_buybox: box === 1,
    feedback_count: count,
    feedback_rating: rating,
  }));
}

const Seller = z.tuple([cents, flag, flag, cents.optional()]);
type Seller = z.infer<typeof Seller>;
const Sellers = z.record(z.string(), Seller);

/**
 * Returns each seller's lowest landed price as JSON: price, whether it holds the box, whether it is ours, and the shipping part
 * if it is not free. `before`: the same of earlier offers, which is merged in.
 */
export function lowestBySeller(offers: readonly Offer[], own: ReadonlySet<string>, before: string | undefined): string {
  const sellers = new Map<string, Seller>(
    before === undefined ? [] : Object.entries(Sellers.parse(JSON.parse(before))),
  );
  for (const offer of offers) {
    if (offer.listing_price_cents <= 0) continue;
    const seller = sellerKey(offer.seller_id);
    const [landed, box, , shipping = 0] = sellers.get(seller) ?? [Infinity, 0];
    const lower = landedOf(offer) < landed;
    const [least, sent] = lower ? [landedOf(offer), offer.shipping_cents ?? 0] : [landed, shipping];
    const [holds, isOwn] = [offer.is_buybox ? 1 : box, own.has(seller) ? 1 : 0] as const;
    sellers.set(seller, sent === 0 ? [least, holds, isOwn] : [least, holds, isOwn, sent]);
  }
  return JSON.stringify(Object.fromEntries(sellers));
}

type Minute = [seller: string, landed: number, box: 0 | 1, own: 0 | 1, shipping: number];
/** Parses the sellers of a stored minute: seller, lowest landed price, holds the box, is ours, shipping part of the price. */
export const readSellers = (text: string): Minute[] =>
  Object.entries(Sellers.parse(JSON.parse(text))).map(([seller, [landed, box, own, shipping = 0]]) => [
    seller,
    landed,
    box,
    own,
    shipping,
  ]);

/** Returns the current offers of articles and their time; an article without a row has no known offers. */
export async function storedOffers(
  trx: Trx,
  ref: { company: string; masterid: string },
  marketplace: string,
  productIds: readonly string[],
): Promise<Map<string, { at: Date; offers: Offer[] }>> {
  const rows = await trx
    .selectFrom('article_offers')
    .select(['product_id as productId', 'condition', 'event_at', 'offers'])
    .where((eb) => eb.and({ company: ref.company, master: ref.masterid, marketplace }))
    .where('product_id', '=', anyOf([...new Set(productIds)]))
    .execute();
  return new Map(
    rows.map((row) => [articleKey(row), { at: row.event_at, offers: readStored(row.offers, row.condition) }]),
  );
}

export const articleKey = ({ productId, condition }: { productId: string; condition: string }): string =>
  `${productId}\n${condition}`;
