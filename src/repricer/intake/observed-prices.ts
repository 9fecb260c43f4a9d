import type { Offer } from '#marketplaces/port.ts';
import { anyOf, pg } from '#platform/db/pg.ts';
import type { Row } from '#platform/db/row.ts';
import type { Trx } from '#platform/db/database.ts';
import type { ListingRow, OfferUpdate } from '#repricer/model/article-offers.ts';
import { sellerKey } from '#repricer/model/read-rule.ts';
import { rivalsText, type Rival, type OfferRank } from '#repricer/model/offer-rank.ts';

/** The price of one of our items as the marketplace showed it at a moment, in cents. */
export type ObservedPrice = { master: string; marketplace: string; item: string; cents: number; event: string };

/**
 * Returns our own offers in new messages. Offers of one account and fulfilment count only if exactly one is shown and exactly one
 * item is sold that way; two could not be told apart. `sellers`: our seller ids, by account.
 */
export function ownPrices(
  updates: readonly OfferUpdate[],
  sold: readonly ListingRow[],
  sellers: ReadonlyMap<string, string>,
): ObservedPrice[] {
  const own = new Set(sellers.values());
  const kinds = Map.groupBy(sold, ({ master, marketplace, productId, condition, fulfilment, account }) =>
    [master, marketplace, productId, condition, fulfilment, sellers.get(account)].join('\n'),
  );
  return updates.flatMap(({ master, snapshot }) => {
    const { marketplace, productId, condition, eventAt } = snapshot;
    const ownOffers = snapshot.offers.filter(
      ({ seller_id, listing_price_cents }) =>
        own.has(sellerKey(seller_id)) && listing_price_cents >= 1 && listing_price_cents <= 99_999_999,
    );
    const kindOf = (offer: Offer) => [offer.fulfilment, sellerKey(offer.seller_id)].join('\n');
    return [...Map.groupBy(ownOffers, kindOf)].flatMap(([kind, offers]): ObservedPrice[] => {
      const items = kinds.get([master, marketplace, productId, condition, kind].join('\n')) ?? [];
      const [offer, item] = [offers[0], items[0]];
      if (offers.length !== 1 || items.length !== 1 || offer === undefined || item === undefined) return [];
      return [{ master, marketplace, item: item.item, cents: offer.listing_price_cents, event: eventAt.toISOString() }];
    });
  });
}

/** What a message shows of one of our offers: its rank, and its price if included. */
export type Observation = Omit<ObservedPrice, 'cents'> & { cents: number | null; offerRank: OfferRank };

/** Stores observations; a submission whose price is observed becomes live. */
export async function noteListings(trx: Trx, company: string, observations: readonly Observation[]): Promise<void> {
  for (const list of Map.groupBy(observations, ({ master, marketplace }) => `${master}\n${marketplace}`).values())
    await noteIn(trx, company, list);
}

type At = { company: string; master: string; marketplace: string; items: readonly string[] };
const rowsOf = (table: string, { company, master, marketplace, items }: At) =>
  pg`${pg.ref(`${table}.company`)} = ${company} and ${pg.ref(`${table}.master`)} = ${master}
    and ${pg.ref(`${table}.marketplace`)} = ${marketplace} and ${pg.ref(`${table}.item`)} = any(${items}::text[])`;

/** Stores observations of one catalogue and marketplace; rows are locked in one fixed order to avoid deadlocks. */
async function noteIn(trx: Trx, company: string, list: readonly Observation[]): Promise<void> {
  const sorted = list.toSorted((one, other) => (one.item < other.item ? -1 : one.item > other.item ? 1 : 0));
  const [first] = sorted;
  if (first === undefined) return;
  const at = { company, master: first.master, marketplace: first.marketplace };
  const priced = sorted.flatMap(({ cents, ...row }) => (cents === null ? [] : [{ ...row, cents }]));
  const underWay = priced.length === 0 ? [] : await endSends(trx, at, priced);
  await writeListings(trx, at, sorted, underWay);
}

/** Marks submissions live whose price is shown; returns the items with other submissions still in flight. */
async function endSends(trx: Trx, at: Omit<At, 'items'>, shown: readonly ObservedPrice[]): Promise<string[]> {
  const items = shown.map(({ item }) => item);
  const sent = await trx
    .selectFrom('price_submissions')
    .select('item')
    .where((eb) => eb.and(at))
    .where('item', '=', anyOf(items))
    .where('state', 'in', ['sending', 'accepted', 'unknown'])
    .execute();
  const underWay = new Set(sent.map(({ item }) => item));
  if (underWay.size === 0) return [];
  // Raw SQL: a join with arrays takes one parameter per column, however many rows.
  const { rows: live } = await pg<
    Row<'price_submissions', 'item'>
  >`update price_submissions s set state = 'live', ended_at = r.event::timestamptz
    from unnest(${items}::text[], ${shown.map(({ cents }) => cents)}::int[], ${shown.map(({ event }) => event)}::text[])
      as r(item, cents, event)
    where ${rowsOf('s', { ...at, items })} and s.item = r.item and s.state in ('accepted', 'unknown') and s.price_cents = r.cents
      and s.sent_at <= r.event::timestamptz returning s.item`.execute(trx);
  for (const { item } of live) underWay.delete(item);
  return [...underWay];
}

/** Rows that may be compared pairwise at negligible cost. */
const FEW = 20;

/** Updates the listings. The items are given twice, so that the planner looks them up whatever its statistics. */
async function writeListings(
  trx: Trx,
  at: Omit<At, 'items'>,
  list: readonly Observation[],
  underWay: readonly string[],
): Promise<void> {
  const column = <T>(of: (one: Observation) => T) => list.map(of);
  const best = <T>(of: (rival: Rival) => T) => column(({ offerRank }) => (offerRank.best ? of(offerRank.best) : null));
  const items = column(({ item }) => item);
  // An observation is of its moment: a price accepted or seen later is newer and must not be overwritten, or it would be sent
  // again.
  const known = pg`r.cents is null or l.live_at > r.event::timestamptz`;
  // Without a hash join each row would be compared with each (measured: four times the other work for 500 messages); with the
  // join but without the list of items, and no statistics, a whole catalogue would be read for each. Nothing else is read in this
  // transaction.
  if (list.length > FEW) await pg`select set_config('enable_hashjoin', 'on', true)`.execute(trx);
  await pg`update listings l set
      live_cents = case when ${known} then l.live_cents else r.cents end,
      live_at = case when ${known} then l.live_at else r.event::timestamptz end,
      price_cents = case when ${known} or l.item = any(${underWay}::text[]) or l.price_at > r.event::timestamptz
        then l.price_cents else r.cents end,
      own_rank = r.own_rank, own_box = coalesce(r.own_box, false), shown_shipping_cents = r.shipping,
      rival = r.rival, rival_cents = r.rival_cents, rival_shipping_cents = r.rival_shipping,
      rival_box = coalesce(r.rival_box, false), rival_rank = r.rival_rank, rivals = r.rivals, messages = l.messages + 1,
      offers_at = r.event::timestamptz
    from unnest(${items}::text[], ${column(({ cents }) => cents)}::int[], ${column(({ event }) => event)}::text[],
      ${column(({ offerRank: { own } }) => own?.rank ?? null)}::int[], ${column(({ offerRank: { own } }) => own?.box ?? null)}::boolean[],
      ${column(({ offerRank: { own } }) => own?.shipping ?? null)}::bigint[],
      ${best(({ seller }) => seller)}::text[], ${best(({ offer }) => offer.listing_price_cents)}::bigint[],
      ${best(({ offer }) => offer.shipping_cents)}::bigint[], ${best(({ box }) => box)}::boolean[],
      ${best(({ rank }) => rank)}::int[], ${column(({ offerRank }) => rivalsText(offerRank.rivals))}::text[])
      as r(item, cents, event, own_rank, own_box, shipping, rival, rival_cents, rival_shipping, rival_box, rival_rank, rivals)
    where ${rowsOf('l', { ...at, items })} and l.item = r.item`.execute(trx);
}
