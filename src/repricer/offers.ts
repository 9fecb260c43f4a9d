import { sql } from 'kysely';
import type { Trx } from '#platform/db.ts';
import type { OfferSnapshot } from '#marketplaces/connector.ts';
import { listAccounts } from '#marketplaces/accounts.ts';
import type { Offer } from '#shared/repricer-decision.ts';
import { GATE } from './gate.ts';
import { sellerKey } from './read-rule.ts';

/**
 * What became of a message: taken; twice: seen before; old: something newer is known already; unknown: no article of ours;
 * future: from a time that is not yet, which would make everything that follows look old.
 */
export type Taken = 'taken' | 'twice' | 'old' | 'unknown' | 'future';

type OfferRow = {
  seller: string;
  slot: number;
  fulfillment: string;
  listing_cents: number;
  shipping_cents: number | null;
  landed_cents: number;
  currency: string;
  is_buybox: boolean;
  feedback_count: number | null;
  feedback_rating: number | null;
  own: boolean;
};

const articleOf = ({ marketplace, asin, condition }: OfferSnapshot) => [marketplace, asin, condition].join('\n');
const messageOf = ({ marketplace, asin, message }: OfferSnapshot) => [marketplace, asin, message].join('/');

/**
 * Takes in offers of articles: they replace those of that article and condition, for every catalogue of the company that sells
 * it. Twice the same message counts once; what happened earlier than what is known is dropped, whenever it comes. The items
 * concerned go into the queue of the repricer in the same transaction. One answer a snapshot, in their order; a hundred at once
 * cost little more than one.
 */
export async function takeOffers(
  trx: Trx,
  company: string,
  snapshots: readonly OfferSnapshot[],
  now: Date,
): Promise<Taken[]> {
  const at = now.toISOString();
  const present = snapshots.filter(({ eventAt }) => eventAt.getTime() <= now.getTime() + GATE.offersFuture);
  const fresh = await unseen(trx, company, present, at);
  const sold = await soldArticles(trx, company, fresh);
  const known = fresh.filter((snapshot) => sold.has(`${snapshot.marketplace}\n${snapshot.asin}`));
  // Of several in one go the newest counts, of equally new ones the last.
  const newest = new Map<string, OfferSnapshot>();
  for (const snapshot of known) {
    const other = newest.get(articleOf(snapshot));
    if (other === undefined || other.eventAt <= snapshot.eventAt) newest.set(articleOf(snapshot), snapshot);
  }
  const taken = await replaceOffers(trx, company, [...newest.values()], at);
  return snapshots.map((snapshot) => {
    if (!present.includes(snapshot)) return 'future';
    if (!fresh.includes(snapshot)) return 'twice';
    if (!known.includes(snapshot)) return 'unknown';
    return newest.get(articleOf(snapshot)) === snapshot && taken.has(articleOf(snapshot)) ? 'taken' : 'old';
  });
}

/** Those whose message was not seen before, neither earlier nor in the same go. */
async function unseen(
  trx: Trx,
  company: string,
  snapshots: readonly OfferSnapshot[],
  at: string,
): Promise<OfferSnapshot[]> {
  const ids = [...new Set(snapshots.map(messageOf))];
  const { rows } = await sql<{ id: string }>`insert into offer_messages (company, id, received_at)
    select ${company}, value, ${at}::timestamptz from json_array_elements_text(${JSON.stringify(ids)}::json)
    on conflict do nothing returning id`.execute(trx);
  const left = new Set(rows.map(({ id }) => id));
  return snapshots.filter((snapshot) => left.delete(messageOf(snapshot)));
}

async function soldArticles(trx: Trx, company: string, snapshots: readonly OfferSnapshot[]): Promise<Set<string>> {
  const { rows } = await sql<{ marketplace: string; asin: string }>`select distinct l.marketplace, l.asin
    from json_to_recordset(${JSON.stringify(snapshots.map(({ marketplace, asin }) => ({ marketplace, asin })))}::json)
      as r(marketplace text, asin text)
    join listings l on l.company = ${company} and l.marketplace = r.marketplace and l.asin = r.asin`.execute(trx);
  return new Set(rows.map(({ marketplace, asin }) => `${marketplace}\n${asin}`));
}

function rowsOf(offers: readonly Offer[], own: ReadonlySet<string>): OfferRow[] {
  const slots = new Map<string, number>();
  return offers.map((offer) => {
    const seller = sellerKey(offer.seller_id);
    const slot = slots.get(seller) ?? 0;
    slots.set(seller, slot + 1);
    return {
      seller,
      slot,
      fulfillment: offer.fulfillment,
      listing_cents: offer.listing_price_cents,
      shipping_cents: offer.shipping_cents,
      landed_cents: offer.listing_price_cents + (offer.shipping_cents ?? 0),
      currency: offer.currency,
      is_buybox: offer.is_buybox,
      feedback_count: offer.feedback_count,
      feedback_rating: offer.feedback_rating,
      own: own.has(seller),
    };
  });
}

/** Writes what is not older than what stands there; returns the articles for which that was so. */
async function replaceOffers(
  trx: Trx,
  company: string,
  snapshots: readonly OfferSnapshot[],
  at: string,
): Promise<Set<string>> {
  const heads = snapshots.map(({ marketplace, asin, condition, eventAt, message }) => ({
    marketplace,
    asin,
    condition,
    event: eventAt.toISOString(),
    message,
  }));
  type Key = { master: string; marketplace: string; asin: string; condition: string };
  // The same moment twice: what was received last counts.
  const { rows: keys } =
    await sql<Key>`insert into offer_states (company, master, marketplace, asin, condition, event_at, received_at, message)
    select distinct ${company}, l.master, r.marketplace, r.asin, r.condition, r.event, ${at}::timestamptz, r.message
    from json_to_recordset(${JSON.stringify(heads)}::json) as r(marketplace text, asin text, condition text, event timestamptz, message text)
    join listings l on l.company = ${company} and l.marketplace = r.marketplace and l.asin = r.asin
    order by l.master, r.marketplace, r.asin, r.condition
    on conflict (company, master, marketplace, asin, condition) do update
      set event_at = excluded.event_at, received_at = excluded.received_at, message = excluded.message
      where offer_states.event_at <= excluded.event_at
    returning master, marketplace, asin, condition`.execute(trx);
  if (keys.length === 0) return new Set();
  const own = new Set((await listAccounts(trx, company)).map(({ sellerId }) => sellerKey(sellerId)));
  const byArticle = new Map(
    snapshots.map((snapshot) => [
      articleOf(snapshot),
      { at: snapshot.eventAt.toISOString(), message: snapshot.message, rows: rowsOf(snapshot.offers, own) },
    ]),
  );
  const articles = keys.map((key) => ({
    key,
    found: byArticle.get([key.marketplace, key.asin, key.condition].join('\n')),
  }));
  const rows = articles.flatMap(({ key, found }) =>
    (found?.rows ?? []).map((row) => ({ ...key, event: found?.at, ...row })),
  );
  const replaced = articles.map(({ key, found }) => ({ ...key, event: found?.at, message: found?.message }));
  await writeOffers(trx, company, { keys: JSON.stringify(replaced), rows: JSON.stringify(rows), at });
  await noteOwnPrices(trx, company, ownPrices(rows));
  return new Set(keys.map((key) => [key.marketplace, key.asin, key.condition].join('\n')));
}

const keysOf = (keys: string) => sql`json_to_recordset(${keys}::json)
  as k(master text, marketplace text, asin text, condition text, event timestamptz, message text)`;
const sameArticle = (
  table: string,
) => sql`${sql.ref(`${table}.master`)} = k.master and ${sql.ref(`${table}.marketplace`)} = k.marketplace
  and ${sql.ref(`${table}.asin`)} = k.asin and ${sql.ref(`${table}.condition`)} = k.condition`;

async function writeOffers(
  trx: Trx,
  company: string,
  { keys, rows, at }: { keys: string; rows: string; at: string },
): Promise<void> {
  const given = sql`json_to_recordset(${rows}::json) as r(master text, marketplace text, asin text, condition text, event timestamptz,
    seller text, slot int, fulfillment text, listing_cents bigint, shipping_cents bigint, landed_cents bigint, currency text,
    is_buybox boolean, feedback_count bigint, feedback_rating real, own boolean)`;
  // Article by article over the key (`offset 0` keeps it so): the planner knows nothing of the list and would read the whole table.
  await sql`delete from offers where ctid = any(array(
    select o.found from ${keysOf(keys)} cross join lateral (select ctid as found from offers o
      where o.company = ${company} and ${sameArticle('o')} offset 0) o))`.execute(trx);
  await sql`insert into offers select ${company}, r.master, r.marketplace, r.asin, r.condition, r.seller, r.slot, r.fulfillment,
    r.listing_cents, r.shipping_cents, r.landed_cents, r.currency, r.is_buybox, r.feedback_count, r.feedback_rating, r.own
    from ${given}`.execute(trx);
  await sql`insert into offer_history
    select ${company}, r.master, r.marketplace, r.asin, r.condition, date_trunc('minute', r.event), r.seller,
      min(r.landed_cents), bool_or(r.is_buybox), bool_or(r.own) from ${given} where r.listing_cents > 0
    group by r.master, r.marketplace, r.asin, r.condition, r.event, r.seller
    on conflict (company, master, marketplace, asin, condition, minute, seller) do update
      set landed_cents = least(offer_history.landed_cents, excluded.landed_cents),
        is_buybox = offer_history.is_buybox or excluded.is_buybox`.execute(trx);
  await sql`insert into reprice_queue (company, master, marketplace, item, since, due_at, cause)
    select l.company, l.master, l.marketplace, l.item, ${at}::timestamptz, ${at}::timestamptz, 'offers:' || k.message
    from ${keysOf(keys)} join listings l on l.company = ${company} and ${sameArticle('l')}
    order by l.master, l.marketplace, l.item
    on conflict (company, master, marketplace, item) do update set due_at = least(reprice_queue.due_at, excluded.due_at),
      cause = excluded.cause, fence = reprice_queue.fence + 1, lease_until = null`.execute(trx);
}

/** Our own offers in the articles, one of each kind of fulfilment; of two nobody can tell which item they are. */
function ownPrices(
  rows: readonly (OfferRow & {
    master: string;
    marketplace: string;
    asin: string;
    condition: string;
    event: string | undefined;
  })[],
) {
  const own = rows.filter((row) => row.own && row.listing_cents >= 1 && row.listing_cents <= 99_999_999);
  const kinds = Map.groupBy(own, ({ master, marketplace, asin, condition, fulfillment }) =>
    [master, marketplace, asin, condition, fulfillment].join('\n'),
  );
  return [...kinds.values()].flatMap((list) => (list.length === 1 ? list : []));
}

/** What the marketplace shows as our prices, where it is clear which of our offers it is; a send on its way is live then. */
async function noteOwnPrices(trx: Trx, company: string, own: readonly OfferRow[]): Promise<void> {
  if (own.length === 0) return;
  await sql`with shown as (
      select l.master, l.marketplace, min(l.item) as item, k.listing_cents as cents, k.event
      from json_to_recordset(${JSON.stringify(own)}::json) as k(master text, marketplace text, asin text, condition text,
        fulfillment text, listing_cents int, event timestamptz)
      join listings l on l.company = ${company} and ${sameArticle('l')} and l.fulfillment = k.fulfillment
      group by l.master, l.marketplace, k.asin, k.condition, k.fulfillment, k.listing_cents, k.event having count(*) = 1),
    confirmed as (
      update price_submissions s set state = 'live', ended_at = shown.event from shown
      where s.company = ${company} and s.master = shown.master and s.marketplace = shown.marketplace and s.item = shown.item
        and s.state in ('accepted', 'unknown') and s.price_cents = shown.cents and s.sent_at <= shown.event)
    update listings l set live_cents = shown.cents, live_at = shown.event,
      price_cents = case when exists (select 1 from price_submissions s where s.company = l.company and s.master = l.master
        and s.marketplace = l.marketplace and s.item = l.item and s.state in ('sending', 'accepted', 'unknown'))
        then l.price_cents else shown.cents end
    from shown where l.company = ${company} and l.master = shown.master and l.marketplace = shown.marketplace
      and l.item = shown.item`.execute(trx);
}

/** The newest offers of articles, with the moment they were so; an article without a row: nothing is known of it. */
export async function storedOffers(
  trx: Trx,
  place: { company: string; masterid: string },
  marketplace: string,
  asins: readonly string[],
): Promise<Map<string, { at: Date; offers: Offer[] }>> {
  const wanted = sql`(select value from json_array_elements_text(${JSON.stringify(asins)}::json))`;
  const where = sql`company = ${place.company} and master = ${place.masterid} and marketplace = ${marketplace} and asin in ${wanted}`;
  const { rows: states } = await sql<{ asin: string; condition: string; event_at: Date }>`
    select asin, condition, event_at from offer_states where ${where}`.execute(trx);
  const found = new Map(states.map((state) => [articleKey(state), { at: state.event_at, offers: [] as Offer[] }]));
  const { rows } = await sql<OfferRow & { asin: string; condition: string }>`select o.*
    from json_array_elements_text(${JSON.stringify([...new Set(asins)])}::json) k
    cross join lateral (select * from offers o where o.company = ${place.company} and o.master = ${place.masterid}
      and o.marketplace = ${marketplace} and o.asin = k.value offset 0) o
    order by o.asin, o.condition, o.landed_cents, o.seller, o.slot`.execute(trx);
  for (const row of rows) {
    found.get(articleKey(row))?.offers.push({
      seller_id: row.seller,
      condition: row.condition,
      fulfillment: row.fulfillment,
      listing_price_cents: Number(row.listing_cents),
      shipping_cents: row.shipping_cents === null ? null : Number(row.shipping_cents),
      currency: row.currency,
      is_buybox: row.is_buybox,
      feedback_count: row.feedback_count === null ? null : Number(row.feedback_count),
      feedback_rating: row.feedback_rating,
    });
  }
  return found;
}

export const articleKey = ({ asin, condition }: { asin: string; condition: string }): string => `${asin}\n${condition}`;

/** A message is delivered again within minutes or never; what is older need not be known. In a system transaction. */
export async function forgetMessages(trx: Trx, now: Date): Promise<void> {
  const before = new Date(now.getTime() - 2 * 24 * 60 * 60_000).toISOString();
  await sql`delete from offer_messages where received_at < ${before}::timestamptz`.execute(trx);
}
