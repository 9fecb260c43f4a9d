import { enqueueItems } from '#repricer/queue/queue.ts';
import { anyOf, pg } from '#platform/db/pg.ts';
import type { Fulfilment } from '#marketplaces/port.ts';
import type { Trx } from '#platform/db/database.ts';

/** Our own offer of an item of the catalogue in one marketplace. `price`: the last accepted one, `live`: the last one seen there. */
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

/** What the newest offers of the article said; of another article they say nothing. */
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
/** What is known of the price of one sku says nothing about that of another. */
const sameSku = pg`(listings.account = excluded.account and listings.sku = excluded.sku and listings.currency = excluded.currency)`;
const ofSku = ['live_cents', 'live_at'];
const ifSameSku = (name: string) => pg`case when ${sameSku} then listings.${pg.ref(name)} end`;

/**
 * Puts in or replaces our offers; a price that is not given leaves the known one, as of when it was known, as long as the sku is the
 * same. What we sell in another way now is decided again.
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
 * How many of the given offers stand for another product, or another offer of it, than the same item did before, or have their sku from
 * an item that is given no other.
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

/** Items that are not among the given ones and had one of their skus until now; `to`: whose it is from now on. */
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

/** A sku is one offer: an item that had it before another one has it now would set its price within limits that are not its own. */
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

/** Those of the given offers that we sold in another way before: other shipping, another account or article. New ones are none. */
async function changedListings(trx: Trx, ref: ListingPlace, listings: readonly Listing[]): Promise<Listing[]> {
  const known = await earlierOf(trx, ref, listings);
  return known.flatMap(({ one, earlier }) => (decisive.some((name) => one[name] !== earlier[name]) ? [one] : []));
}

/** Those of the given offers that are known, each with what is known of it. */
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

/** What a decision about an offer's price depends on. */
const decisive = ['account', 'sku', 'productId', 'condition', 'fulfilment', 'currency', 'shipping'] as const;

export function listingsOf(
  trx: Trx,
  ref: ListingPlace,
  marketplace: string,
  items: readonly string[],
): Promise<Listing[]> {
  return listingRows(trx, ref).where('marketplace', '=', marketplace).where('item', '=', anyOf(items)).execute();
}

/** A page of all our offers of a master by item, those behind `after` (a marketplace and an item). */
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
