import type { Offer } from '#marketplaces/port.ts';
import { anyOf, pg } from '#platform/db/pg.ts';
import type { Row } from '#platform/db/row.ts';
import type { Trx } from '#platform/db/database.ts';
import type { ListingRow, OfferUpdate } from '#repricer/model/article-offers.ts';
import { sellerKey } from '#repricer/model/read-rule.ts';
import { rivalsText, type Rival, type OfferRank } from '#repricer/model/offer-rank.ts';

/** What the marketplace shows as the price of an item of ours, in cents, at a moment. */
export type ObservedPrice = { master: string; marketplace: string; item: string; cents: number; event: string };

/**
 * Our own offers in new messages: of those of one account and kind of fulfilment only where just one is shown and just one item is sold
 * so; of two nobody can tell which is which. `sellers`: our ids as sellers, by account.
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

/** What a message says about one of our offers: its rank, and its price where the message has one. */
export type Observation = Omit<ObservedPrice, 'cents'> & { cents: number | null; offerRank: OfferRank };

/** Stores the observed price; a submission with that price is live then. */
export async function noteListings(trx: Trx, company: string, observations: readonly Observation[]): Promise<void> {
  for (const list of Map.groupBy(observations, ({ master, marketplace }) => `${master}\n${marketplace}`).values())
    await noteIn(trx, company, list);
}

type At = { company: string; master: string; marketplace: string; items: readonly string[] };
const rowsOf = (table: string, { company, master, marketplace, items }: At) =>
  pg`${pg.ref(`${table}.company`)} = ${company} and ${pg.ref(`${table}.master`)} = ${master}
    and ${pg.ref(`${table}.marketplace`)} = ${marketplace} and ${pg.ref(`${table}.item`)} = any(${items}::text[])`;

/** All of one catalogue and marketplace, in one order for everybody: who waits for each other's rows would wait for ever. */
async function noteIn(trx: Trx, company: string, list: readonly Observation[]): Promise<void> {
  const sorted = list.toSorted((one, other) => (one.item < other.item ? -1 : one.item > other.item ? 1 : 0));
  const [first] = sorted;
  if (first === undefined) return;
  const at = { company, master: first.master, marketplace: first.marketplace };
  const priced = sorted.flatMap(({ cents, ...row }) => (cents === null ? [] : [{ ...row, cents }]));
  const underWay = priced.length === 0 ? [] : await endSends(trx, at, priced);
  await writeListings(trx, at, sorted, underWay);
}

/** Sends whose price is shown are live; returns the items with others that are still on their way. */
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
  // Joined with arrays, a parameter for each column however many there are.
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

/** How many rows may be compared with each other without cost that matters. */
const FEW = 20;

/** The items are named twice, so that the planner looks them up whatever it knows. */
async function writeListings(
  trx: Trx,
  at: Omit<At, 'items'>,
  list: readonly Observation[],
  underWay: readonly string[],
): Promise<void> {
  const column = <T>(of: (one: Observation) => T) => list.map(of);
  const best = <T>(of: (rival: Rival) => T) => column(({ offerRank }) => (offerRank.best ? of(offerRank.best) : null));
  const items = column(({ item }) => item);
  // A message tells of its moment: a price that was taken or seen since is the newer one, and would be sent a second time.
  const known = pg`r.cents is null or l.live_at > r.event::timestamptz`;
  // With the items alone each row would be compared with each (measured: four times the work of all the rest for 500 messages); with
  // the join alone, and no statistics, a whole catalogue would be read for each. Nothing else is read in this transaction.
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
