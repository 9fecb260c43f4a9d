import { anyOf, pg } from '#platform/db/pg.ts';
import { insertRows } from '#platform/db/insert-rows.ts';
import type { Row } from '#platform/db/row.ts';
import type { Trx } from '#platform/db/database.ts';
import type { OfferSnapshot } from '#marketplaces/port.ts';
import { listAccounts } from '#marketplaces/accounts/accounts.ts';
import { offersToStore, lowestBySeller, type ListingRow, type OfferUpdate } from '#repricer/model/article-offers.ts';
import { disableSeqScans } from '#repricer/model/disable-seq-scans.ts';
import { GATE } from '#repricer/gate/gate.ts';
import { enqueueItems } from '#repricer/queue/queue.ts';
import { noteListings, ownPrices } from './observed-prices.ts';
import { sellerKey } from '#repricer/model/read-rule.ts';
import { offerRankOf } from '#repricer/model/offer-rank.ts';

/**
 * Result of a message: taken; twice: seen before; old: a newer one is stored; unknown: not an article of ours; future: its time
 * is ahead of ours, and storing it would make all later ones look old.
 */
export type IntakeResult = 'taken' | 'twice' | 'old' | 'unknown' | 'future';

/** No marketplace reported offers before; the database cannot even store every date that a text may contain. */
const EARLIEST = new Date('2000-01-01T00:00:00Z');

const articleOf = ({ marketplace, productId }: { marketplace: string; productId: string }) =>
  `${marketplace}\n${productId}`;
export const offerKey = (offer: { marketplace: string; productId: string; condition: string }): string =>
  `${articleOf(offer)}\n${offer.condition}`;
const messageOf = ({ marketplace, productId, message }: OfferSnapshot) => [marketplace, productId, message].join('/');

/**
 * Stores offers of articles: they replace those of that article and condition, for every catalogue of the company that sells it.
 * A repeated message counts once; one older than the stored state is dropped, whenever it arrives. The items concerned are queued
 * for the repricer in the same transaction. Returns one result per snapshot, in their order. The number of statements is
 * constant: several hundred snapshots cost little more than one.
 */
export async function takeOffers(
  trx: Trx,
  company: string,
  snapshots: readonly OfferSnapshot[],
  now: Date,
): Promise<IntakeResult[]> {
  if (snapshots.length === 0) return [];
  await disableSeqScans(trx);
  const at = now.toISOString();
  const present = snapshots.filter(
    ({ eventAt }) => eventAt.getTime() <= now.getTime() + GATE.offersFuture && eventAt >= EARLIEST,
  );
  const unseenIds = new Set(await unseen(trx, company, present, at));
  const sold = Map.groupBy(await soldHere(trx, company, [...unseenIds]), articleOf);
  // Of several snapshots of an offer the newest counts, of equally new ones the last.
  const newest = new Map<string, OfferSnapshot>();
  for (const snapshot of unseenIds) {
    const other = newest.get(offerKey(snapshot));
    if (other === undefined || other.eventAt <= snapshot.eventAt) newest.set(offerKey(snapshot), snapshot);
  }
  const written = await replaceOffers(trx, company, { sold, snapshots: [...newest.values()] }, at);
  const isPresent = new Set(present);
  return snapshots.map((snapshot) => {
    if (snapshot.eventAt < EARLIEST) return 'old';
    if (!isPresent.has(snapshot)) return 'future';
    if (!unseenIds.has(snapshot)) return 'twice';
    if (!sold.has(articleOf(snapshot))) return 'unknown';
    return newest.get(offerKey(snapshot)) === snapshot && written.has(snapshot) ? 'taken' : 'old';
  });
}

/** Returns the snapshots whose message was not seen before, neither earlier nor in this batch. */
async function unseen(
  trx: Trx,
  company: string,
  snapshots: readonly OfferSnapshot[],
  at: string,
): Promise<OfferSnapshot[]> {
  // In one fixed order: two transactions with the same messages must not deadlock.
  const ids = [...new Set(snapshots.map(messageOf))].sort();
  if (ids.length === 0) return [];
  const news = ids.map((id) => ({ company, id, received_at: at }));
  const rows = await insertRows(trx, 'offer_messages', news)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute();
  const left = new Set(rows.map(({ id }) => id));
  return snapshots.filter((snapshot) => left.delete(messageOf(snapshot)));
}

async function soldHere(trx: Trx, company: string, snapshots: readonly OfferSnapshot[]): Promise<ListingRow[]> {
  const sold: ListingRow[] = [];
  for (const [marketplace, list] of Map.groupBy(snapshots, (one) => one.marketplace)) {
    const productIds = [...new Set(list.map(({ productId }) => productId))];
    const rows = await trx
      .selectFrom('listings')
      .select(['master', 'marketplace', 'product_id as productId', 'condition', 'item', 'fulfilment'])
      .select(['account', 'currency'])
      .where((eb) => eb.and({ company, marketplace }))
      .where('product_id', '=', anyOf(productIds))
      .execute();
    sold.push(...rows);
  }
  return sold;
}

const byText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

/** Stores offers that are not older than the stored ones; returns the messages that were stored. */
async function replaceOffers(
  trx: Trx,
  company: string,
  { sold, snapshots }: { sold: ReadonlyMap<string, readonly ListingRow[]>; snapshots: readonly OfferSnapshot[] },
  at: string,
): Promise<Set<OfferSnapshot>> {
  const updates = snapshots
    .flatMap((snapshot): OfferUpdate[] => {
      const masters = new Set((sold.get(articleOf(snapshot)) ?? []).map(({ master }) => master));
      return [...masters].map((master) => ({ master, snapshot }));
    })
    .sort((one, other) => byText(updateKey(one), updateKey(other)));
  if (updates.length === 0) return new Set();
  const accounts = await listAccounts(trx, company);
  const own = new Set(accounts.map(({ sellerId }) => sellerKey(sellerId)));
  const written = await writeOffers(trx, company, updates, { own, at });
  if (written.length === 0) return new Set();
  await writeMinutes(trx, company, written, own);
  const concerned = written.flatMap(({ master, snapshot }) =>
    (sold.get(articleOf(snapshot)) ?? [])
      .filter((one) => one.master === master && one.condition === snapshot.condition)
      .map((one) => ({ ...one, snapshot, cause: `offers:${snapshot.message}` })),
  );
  await enqueueItems(trx, company, concerned, at);
  const seller = new Map(accounts.map(({ id, sellerId }) => [id, sellerKey(sellerId)]));
  const prices = new Map(ownPrices(written, concerned, seller).map((shown) => [soldKey(shown), shown.cents]));
  const observations = concerned.map(({ snapshot, ...one }) => ({
    ...one,
    event: snapshot.eventAt.toISOString(),
    cents: prices.get(soldKey(one)) ?? null,
    offerRank: offerRankOf(snapshot.offers, one, { seller: seller.get(one.account), all: own }),
  }));
  await noteListings(trx, company, observations);
  return new Set(written.map(({ snapshot }) => snapshot));
}

const soldKey = ({ master, marketplace, item }: Pick<ListingRow, 'master' | 'marketplace' | 'item'>) =>
  `${master}\n${marketplace}\n${item}`;
const updateKey = ({ master, snapshot }: OfferUpdate) => `${master}\n${offerKey(snapshot)}`;
const placeColumns = (list: readonly OfferUpdate[]) => [
  list.map(({ master }) => master),
  list.map(({ snapshot }) => snapshot.marketplace),
  list.map(({ snapshot }) => snapshot.productId),
  list.map(({ snapshot }) => snapshot.condition),
];

async function writeOffers(
  trx: Trx,
  company: string,
  updates: readonly OfferUpdate[],
  { own, at }: { own: ReadonlySet<string>; at: string },
): Promise<OfferUpdate[]> {
  const [masters, marketplaces, productIds, conditions] = placeColumns(updates);
  const offers = updates.map(({ snapshot }) => offersToStore(snapshot.offers, own, snapshot.condition));
  type Key = Row<'article_offers', 'master' | 'marketplace' | 'condition'> & { productId: string };
  // On equal times the last received counts. Arrays, since offers are long texts that JSON would escape once more.
  const { rows } =
    await pg<Key>`insert into article_offers (company, master, marketplace, product_id, condition, event_at, received_at, message, offers)
    select ${company}, r.master, r.marketplace, r.product_id, r.condition, r.event::timestamptz, ${at}::timestamptz, r.message, r.offers
    from unnest(${masters}::text[], ${marketplaces}::text[], ${productIds}::text[], ${conditions}::text[],
      ${updates.map(({ snapshot }) => snapshot.eventAt.toISOString())}::text[],
      ${updates.map(({ snapshot }) => snapshot.message)}::text[], ${offers}::text[])
      as r(master, marketplace, product_id, condition, event, message, offers)
    on conflict (company, master, marketplace, product_id, condition) do update
      set event_at = excluded.event_at, received_at = excluded.received_at, message = excluded.message, offers = excluded.offers
      where article_offers.event_at <= excluded.event_at
    returning master, marketplace, product_id as "productId", condition`.execute(trx);
  const written = new Set(rows.map((row) => `${row.master}\n${offerKey(row)}`));
  return updates.filter((one) => written.has(updateKey(one)));
}

/**
 * Stores the prices of sellers by minute; each seller's lowest price within a minute is kept. This transaction holds the rows of
 * `article_offers`, so no other writes these minutes. Few articles change twice in a minute: only their present rows are read.
 */
async function writeMinutes(
  trx: Trx,
  company: string,
  updates: readonly OfferUpdate[],
  own: ReadonlySet<string>,
): Promise<void> {
  const sellersOf = (one: OfferUpdate, before?: string) => lowestBySeller(one.snapshot.offers, own, before);
  const added = await insertMinutes(
    trx,
    company,
    updates.map((one) => ({ ...one, sellers: sellersOf(one) })),
    'stays',
  );
  const again = updates.filter((one) => !added.has(minuteKey(one)));
  if (again.length === 0) return;
  const before = await knownMinutes(trx, company, again);
  const merged = again.map((one) => ({ ...one, sellers: sellersOf(one, before.get(minuteKey(one))) }));
  await insertMinutes(trx, company, merged, 'is replaced');
}

/** Returns the keys of the minutes that were written. `present`: what happens to an existing minute. */
async function insertMinutes(
  trx: Trx,
  company: string,
  updates: readonly (OfferUpdate & { sellers: string })[],
  present: 'stays' | 'is replaced',
): Promise<Set<string>> {
  const [masters, marketplaces, productIds, conditions] = placeColumns(updates);
  const minutes = updates.map(({ snapshot }) => minuteOf(snapshot.eventAt));
  // Arrays, since sellers are long texts that JSON would escape once more.
  const rows = await trx
    .insertInto('offer_minutes')
    .columns(['company', 'master', 'marketplace', 'product_id', 'condition', 'minute', 'sellers'])
    .expression(
      pg`select ${company}, r.master, r.marketplace, r.product_id, r.condition, r.minute::timestamptz, r.sellers::jsonb
        from unnest(${masters}::text[], ${marketplaces}::text[], ${productIds}::text[], ${conditions}::text[], ${minutes}::text[],
          ${updates.map(({ sellers }) => sellers)}::text[]) as r(master, marketplace, product_id, condition, minute, sellers)`,
    )
    .onConflict((conflict) => {
      if (present === 'stays') return conflict.doNothing();
      const key = ['company', 'master', 'marketplace', 'product_id', 'minute', 'condition'] as const;
      return conflict.columns(key).doUpdateSet((eb) => ({ sellers: eb.ref('excluded.sellers') }));
    })
    .returning(['master', 'marketplace', 'product_id as productId', 'condition', 'minute'])
    .execute();
  return new Set(rows.map(({ master, minute, ...row }) => `${master}\n${offerKey(row)}\n${minute.getTime()}`));
}

const minuteOf = (at: Date) => `${at.toISOString().slice(0, 16)}:00Z`;

const minuteKey = ({ master, snapshot }: OfferUpdate) =>
  `${master}\n${offerKey(snapshot)}\n${new Date(minuteOf(snapshot.eventAt)).getTime()}`;

/** Returns the present rows of these minutes. Lists instead of a join: the planner then looks up each by the key. */
async function knownMinutes(trx: Trx, company: string, updates: readonly OfferUpdate[]): Promise<Map<string, string>> {
  const known = new Map<string, string>();
  for (const list of Map.groupBy(updates, ({ master, snapshot }) => `${master}\n${snapshot.marketplace}`).values()) {
    const [first] = list;
    if (first === undefined) continue;
    const { master } = first;
    const { marketplace } = first.snapshot;
    const productIds = [...new Set(list.map(({ snapshot }) => snapshot.productId))];
    const minutes = [...new Set(list.map(({ snapshot }) => minuteOf(snapshot.eventAt)))];
    const rows = await trx
      .selectFrom('offer_minutes')
      .select((eb) => [
        'product_id as productId',
        'condition',
        'minute',
        eb.cast<string>('sellers', 'text').as('sellers'),
      ])
      .where((eb) => eb.and({ company, master, marketplace }))
      .where('product_id', '=', anyOf(productIds))
      .where('minute', '=', anyOf(minutes.map((minute) => new Date(minute))))
      .execute();
    for (const { minute, sellers, ...row } of rows)
      known.set(`${master}\n${offerKey({ marketplace, ...row })}\n${minute.getTime()}`, sellers);
  }
  return known;
}

/** Deletes ids of old messages: a message is delivered again within minutes or never. Runs in a system transaction. */
export async function deleteMessages(trx: Trx, now: Date): Promise<void> {
  const before = new Date(now.getTime() - 2 * 24 * 60 * 60_000);
  await trx.deleteFrom('offer_messages').where('received_at', '<', before).execute();
}
