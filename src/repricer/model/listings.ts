import { enqueueItems } from '#repricer/queue/queue.ts';
import { anyOf, pg } from '#platform/db/pg.ts';
import type { Fulfilment } from '#marketplaces/port.ts';
import type { Trx } from '#platform/db/database.ts';

/**
 * Our own offer of an item of the catalogue in one marketplace. `price`: the last accepted one, `live`: the last one seen there.
 */
export type Listing = {
  item: string;
  marketplace: string;
  account: string;
  sku: string;
  productId: string;
  condition: string;
  fulfilment: Fulfilment;
  currency: string;
  shipping: number | null;
  price: number | null;
  stock: number | null;
};
export type ListingPlace = { company: string; masterid: string };

const listingRows = (trx: Trx, { company, masterid }: ListingPlace) =>
  trx
    .selectFrom('listings')
    .select(['item', 'marketplace', 'account', 'sku', 'product_id as productId', 'condition', 'fulfilment'])
    .select(['currency', 'shipping_cents as shipping', 'price_cents as price', 'stock'])
    .where((eb) => eb.and({ company, master: masterid }));

/** Columns taken from the current offers of the article; they are invalid for another article. */
const ofArticle = [
  'own_rank',
  'shown_shipping_cents',
  'rival',
  'rival_cents',
  'rival_shipping_cents',
  'rival_rank',
  'offers_at',
];
const shownBoxes = ['own_box', 'rival_box'];
const sameArticle = pg`(listings.product_id = excluded.product_id and listings.condition = excluded.condition)`;
/** The known price of one sku says nothing about that of another. */
const sameSku = pg`(listings.account = excluded.account and listings.sku = excluded.sku and listings.currency = excluded.currency)`;
const ofSku = ['live_cents', 'live_at'];
const ifSameSku = (name: string) => pg`case when ${sameSku} then listings.${pg.ref(name)} end`;

/**
 * Inserts or replaces our offers; if no price is given, the known one and its time are kept as long as the sku is the same.
 * Offers sold in another way than before are decided again.
 */
export async function saveListings(
  trx: Trx,
  ref: ListingPlace,
  listings: readonly Listing[],
  now: Date,
): Promise<void> {
  if (listings.length === 0) return;
  const { company, masterid } = ref;
  const changed = await changedListings(trx, ref, listings);
  const again = changed.map(({ marketplace, item }) => ({ master: masterid, marketplace, item, cause: 'listing' }));
  await enqueueItems(trx, company, again, now.toISOString());
  await removeEarlier(trx, ref, listings);
  await pg`insert into listings (company, master, marketplace, item, account, sku, product_id, condition, fulfilment, currency,
      shipping_cents, price_cents, price_at, stock)
    select ${company}, ${masterid}, r.marketplace, r.item, r.account, r.sku, r."productId", r.condition, r.fulfilment, r.currency,
      r.shipping, r.price, ${now.toISOString()}::timestamptz, r.stock
    from json_to_recordset(${JSON.stringify(listings)}::json) as r(marketplace text, item text, account text, sku text, "productId" text,
      condition text, fulfilment text, currency text, shipping int, price int, stock int)
    on conflict (company, master, marketplace, item) do update set account = excluded.account, sku = excluded.sku,
      product_id = excluded.product_id, condition = excluded.condition, fulfilment = excluded.fulfilment, currency = excluded.currency,
      shipping_cents = excluded.shipping_cents, stock = excluded.stock,
      price_cents = coalesce(excluded.price_cents, ${ifSameSku('price_cents')}),
      price_at = case when excluded.price_cents is null and ${sameSku} then listings.price_at else excluded.price_at end,
      ${pg.join(ofSku.map((name) => pg`${pg.ref(name)} = ${ifSameSku(name)}`))},
      ${pg.join(ofArticle.map((name) => pg`${pg.ref(name)} = case when ${sameArticle} then listings.${pg.ref(name)} end`))},
      ${pg.join(shownBoxes.map((name) => pg`${pg.ref(name)} = ${sameArticle} and listings.${pg.ref(name)}`))},
      rivals = case when ${sameArticle} then listings.rivals else '' end`.execute(trx);
}

/**
 * Returns how many of the given offers mean another product, or another offer of it, than the same item did before, or take their
 * sku from an item that is given no other.
 */
export async function otherProducts(trx: Trx, ref: ListingPlace, listings: readonly Listing[]): Promise<number> {
  const others = await earlierOf(trx, ref, listings);
  const moved = others.filter(({ one, earlier }) => one.sku !== earlier.sku || one.productId !== earlier.productId);
  const newItems = new Set(listings.map(placeOf));
  for (const { one } of others) newItems.delete(placeOf(one));
  const { length: takenByNew } = (await itemsBefore(trx, ref, listings)).filter(({ to }) => newItems.has(to));
  return moved.length + takenByNew;
}

const placeOf = ({ marketplace, item }: Pick<Listing, 'marketplace' | 'item'>): string => `${marketplace}\n${item}`;

/** Returns items, not among the given ones, whose sku is now given to another item; `to`: that item. */
async function itemsBefore(trx: Trx, { company, masterid }: ListingPlace, listings: readonly Listing[]) {
  const given = new Map(listings.map((one) => [`${one.account}\n${one.sku}`, placeOf(one)]));
  const places = new Set(listings.map(placeOf));
  const rows = await trx
    .selectFrom('listings')
    .select(['marketplace', 'item', 'account', 'sku'])
    .where((eb) => eb.and({ company, master: masterid }))
    .where('sku', '=', anyOf([...new Set(listings.map(({ sku }) => sku))]))
    .where('account', '=', anyOf([...new Set(listings.map(({ account }) => account))]))
    .execute();
  return rows.flatMap(({ account, sku, ...place }) => {
    const to = given.get(`${account}\n${sku}`);
    return to === undefined || places.has(placeOf(place)) ? [] : [{ ...place, to }];
  });
}

/** Deletes the earlier item of a sku: a sku is one offer, and the earlier item would price it within the wrong limits. */
async function removeEarlier(trx: Trx, ref: ListingPlace, listings: readonly Listing[]): Promise<void> {
  const before = await itemsBefore(trx, ref, listings);
  for (const [marketplace, list] of Map.groupBy(before, (one) => one.marketplace)) {
    await trx
      .deleteFrom('listings')
      .where((eb) => eb.and({ company: ref.company, master: ref.masterid, marketplace }))
      .where('item', '=', anyOf(list.map(({ item }) => item)))
      .execute();
  }
}

/**
 * Returns the given offers that we sold in another way before: other shipping, another account or article. New ones are not
 * included.
 */
async function changedListings(trx: Trx, ref: ListingPlace, listings: readonly Listing[]): Promise<Listing[]> {
  const known = await earlierOf(trx, ref, listings);
  return known.flatMap(({ one, earlier }) => (decisive.some((name) => one[name] !== earlier[name]) ? [one] : []));
}

/** Returns the given offers that are stored already, each with its stored state. */
async function earlierOf(trx: Trx, ref: ListingPlace, listings: readonly Listing[]) {
  const found: { one: Listing; earlier: Listing }[] = [];
  for (const [marketplace, list] of Map.groupBy(listings, (one) => one.marketplace)) {
    const known = await listingsOf(
      trx,
      ref,
      marketplace,
      list.map(({ item }) => item),
    );
    const before = new Map(known.map((one) => [one.item, one]));
    for (const one of list) {
      const earlier = before.get(one.item);
      if (earlier !== undefined) found.push({ one, earlier });
    }
  }
  return found;
}

/** The properties on which a decision about an offer's price depends. */
const decisive = ['account', 'sku', 'productId', 'condition', 'fulfilment', 'currency', 'shipping'] as const;

export function listingsOf(
  trx: Trx,
  ref: ListingPlace,
  marketplace: string,
  items: readonly string[],
): Promise<Listing[]> {
  return listingRows(trx, ref).where('marketplace', '=', marketplace).where('item', '=', anyOf(items)).execute();
}

/** Returns a page of our offers of a master in key order, after `after` (a marketplace and an item). */
export function listingPage(
  trx: Trx,
  ref: ListingPlace,
  after: { marketplace: string; item: string },
  limit: number,
): Promise<Listing[]> {
  return listingRows(trx, ref)
    .where((eb) => eb(eb.refTuple('marketplace', 'item'), '>', eb.tuple(after.marketplace, after.item)))
    .orderBy('marketplace')
    .orderBy('item')
    .limit(limit)
    .execute();
}
