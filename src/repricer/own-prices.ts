import { sql } from 'kysely';
import type { Trx } from '#platform/db.ts';
import type { Sold, Told } from './article-offers.ts';
import { sellerKey } from './read-rule.ts';

/** What the marketplace shows as the price of an item of ours, in cents, at a moment. */
export type Shown = { master: string; marketplace: string; item: string; cents: number; event: string };

/**
 * Our own offers in new messages: of those of one kind of fulfilment only where just one is shown and just one item is sold so;
 * of two nobody can tell which is which.
 */
export function ownPrices(taken: readonly Told[], sold: readonly Sold[], own: ReadonlySet<string>): Shown[] {
  const kinds = Map.groupBy(sold, ({ master, marketplace, asin, condition, fulfillment }) =>
    [master, marketplace, asin, condition, fulfillment].join('\n'),
  );
  return taken.flatMap(({ master, snapshot }) => {
    const { marketplace, asin, condition, eventAt } = snapshot;
    const ours = snapshot.offers.filter(
      ({ seller_id, listing_price_cents }) =>
        own.has(sellerKey(seller_id)) && listing_price_cents >= 1 && listing_price_cents <= 99_999_999,
    );
    return [...Map.groupBy(ours, ({ fulfillment }) => fulfillment)].flatMap(([fulfillment, offers]): Shown[] => {
      const items = kinds.get([master, marketplace, asin, condition, fulfillment].join('\n')) ?? [];
      const [offer, item] = [offers[0], items[0]];
      if (offers.length !== 1 || items.length !== 1 || offer === undefined || item === undefined) return [];
      return [{ master, marketplace, item: item.item, cents: offer.listing_price_cents, event: eventAt.toISOString() }];
    });
  });
}

/** Writes down what is shown; a send on its way is live then. */
export async function noteOwnPrices(trx: Trx, company: string, shown: readonly Shown[]): Promise<void> {
  for (const list of Map.groupBy(shown, ({ master, marketplace }) => `${master}\n${marketplace}`).values())
    await noteIn(trx, company, list);
}

/** All of one catalogue and marketplace. The items are named twice, so that the planner looks them up whatever it knows. */
async function noteIn(trx: Trx, company: string, list: readonly Shown[]): Promise<void> {
  const [first] = list;
  if (first === undefined) return;
  const items = list.map(({ item }) => item);
  const given = sql`unnest(${items}::text[], ${list.map(({ cents }) => cents)}::int[], ${list.map(({ event }) => event)}::text[])
    as r(item, cents, event)`;
  const mine = (
    table: string,
  ) => sql`${sql.ref(`${table}.company`)} = ${company} and ${sql.ref(`${table}.master`)} = ${first.master}
    and ${sql.ref(`${table}.marketplace`)} = ${first.marketplace} and ${sql.ref(`${table}.item`)} = any(${items}::text[])`;
  const { rows: sent } = await sql<{ item: string }>`select s.item from price_submissions s
    where ${mine('s')} and s.state in ('sending', 'accepted', 'unknown')`.execute(trx);
  const underWay = new Set(sent.map(({ item }) => item));
  if (underWay.size > 0) {
    const { rows: live } = await sql<{
      item: string;
    }>`update price_submissions s set state = 'live', ended_at = r.event::timestamptz
      from ${given} where ${mine('s')} and s.item = r.item and s.state in ('accepted', 'unknown') and s.price_cents = r.cents
        and s.sent_at <= r.event::timestamptz returning s.item`.execute(trx);
    for (const { item } of live) underWay.delete(item);
  }
  // A message tells of its moment: a price that was taken or seen since is the newer one, and would be sent a second time.
  await sql`update listings l set live_cents = r.cents, live_at = r.event::timestamptz,
      price_cents = case when l.item = any(${[...underWay]}::text[]) or l.price_at > r.event::timestamptz then l.price_cents else r.cents end
    from ${given} where ${mine('l')} and l.item = r.item and (l.live_at is null or l.live_at <= r.event::timestamptz)`.execute(
    trx,
  );
}
