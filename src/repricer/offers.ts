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

/**
 * Takes in the offers of an article: they replace those of that article and condition, for every catalogue of the company that
 * sells it. Twice the same message counts once; what happened earlier than what is known is dropped, whenever it comes. The
 * items concerned go into the queue of the repricer in the same transaction.
 */
export async function takeOffers(trx: Trx, company: string, snapshot: OfferSnapshot, now: Date): Promise<Taken> {
  const { marketplace, asin, message } = snapshot;
  if (snapshot.eventAt.getTime() > now.getTime() + GATE.offersFuture) return 'future';
  const at = now.toISOString();
  const known = await sql`insert into offer_messages (company, id, received_at)
    values (${company}, ${`${marketplace}/${asin}/${message}`}, ${at}::timestamptz) on conflict do nothing`.execute(
    trx,
  );
  if (known.numAffectedRows === 0n) return 'twice';
  const { rows: masters } = await sql<{ master: string }>`select distinct master from listings
    where company = ${company} and marketplace = ${marketplace} and asin = ${asin}`.execute(trx);
  if (masters.length === 0) return 'unknown';
  const own = new Set((await listAccounts(trx, company)).map(({ sellerId }) => sellerKey(sellerId)));
  const rows = rowsOf(snapshot.offers, own);
  let taken: Taken = 'old';
  for (const { master } of masters) {
    if (await replaceOffers(trx, { company, master }, snapshot, rows, at)) taken = 'taken';
  }
  return taken;
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

async function replaceOffers(
  trx: Trx,
  { company, master }: { company: string; master: string },
  { marketplace, asin, condition, eventAt, message }: OfferSnapshot,
  rows: readonly OfferRow[],
  at: string,
): Promise<boolean> {
  const event = eventAt.toISOString();
  // The same moment twice: what was received last counts.
  const newer =
    await sql`insert into offer_states (company, master, marketplace, asin, condition, event_at, received_at, message)
    values (${company}, ${master}, ${marketplace}, ${asin}, ${condition}, ${event}::timestamptz, ${at}::timestamptz, ${message})
    on conflict (company, master, marketplace, asin, condition) do update
      set event_at = excluded.event_at, received_at = excluded.received_at, message = excluded.message
      where offer_states.event_at <= excluded.event_at`.execute(trx);
  if (newer.numAffectedRows === 0n) return false;
  const given = sql`json_to_recordset(${JSON.stringify(rows)}::json) as r(seller text, slot int, fulfillment text, listing_cents bigint,
    shipping_cents bigint, landed_cents bigint, currency text, is_buybox boolean, feedback_count bigint, feedback_rating real, own boolean)`;
  const place = sql`company = ${company} and master = ${master} and marketplace = ${marketplace} and asin = ${asin}`;
  await sql`delete from offers where ${place} and condition = ${condition}`.execute(trx);
  await sql`insert into offers select ${company}, ${master}, ${marketplace}, ${asin}, ${condition}, r.* from ${given}`.execute(
    trx,
  );
  await sql`insert into offer_history
    select ${company}, ${master}, ${marketplace}, ${asin}, ${condition}, date_trunc('minute', ${event}::timestamptz), r.seller,
      min(r.landed_cents), bool_or(r.is_buybox), bool_or(r.own) from ${given} where r.listing_cents > 0 group by r.seller
    on conflict (company, master, marketplace, asin, condition, minute, seller) do update
      set landed_cents = least(offer_history.landed_cents, excluded.landed_cents),
        is_buybox = offer_history.is_buybox or excluded.is_buybox`.execute(trx);
  await noteOwnPrice(trx, { company, master }, { marketplace, asin, condition }, event);
  await sql`insert into reprice_queue (company, master, marketplace, item, since, due_at, cause)
    select company, master, marketplace, item, ${at}::timestamptz, ${at}::timestamptz, ${`offers:${message}`}
    from listings where ${place} and condition = ${condition}
    on conflict (company, master, marketplace, item) do update set due_at = least(reprice_queue.due_at, excluded.due_at),
      cause = excluded.cause, fence = reprice_queue.fence + 1, lease_until = null`.execute(trx);
  return true;
}

/** What the marketplace shows as our price, where it is clear which of our offers it is; a send on its way is live then. */
async function noteOwnPrice(
  trx: Trx,
  { company, master }: { company: string; master: string },
  { marketplace, asin, condition }: { marketplace: string; asin: string; condition: string },
  event: string,
): Promise<void> {
  await sql`with shown as (
      select l.item, min(o.listing_cents)::int as cents
      from listings l join offers o on o.company = l.company and o.master = l.master and o.marketplace = l.marketplace
        and o.asin = l.asin and o.condition = l.condition and o.fulfillment = l.fulfillment and o.own and o.listing_cents > 0
      where l.company = ${company} and l.master = ${master} and l.marketplace = ${marketplace} and l.asin = ${asin}
        and l.condition = ${condition}
        and not exists (select 1 from listings t where t.company = l.company and t.master = l.master
          and t.marketplace = l.marketplace and t.asin = l.asin and t.condition = l.condition
          and t.fulfillment = l.fulfillment and t.item <> l.item)
      group by l.item having count(*) = 1),
    confirmed as (
      update price_submissions s set state = 'live', ended_at = ${event}::timestamptz from shown
      where s.company = ${company} and s.master = ${master} and s.marketplace = ${marketplace} and s.item = shown.item
        and s.state in ('accepted', 'unknown') and s.price_cents = shown.cents and s.sent_at <= ${event}::timestamptz)
    update listings l set live_cents = shown.cents, live_at = ${event}::timestamptz,
      price_cents = case when exists (select 1 from price_submissions s where s.company = l.company and s.master = l.master
        and s.marketplace = l.marketplace and s.item = l.item and s.state in ('sending', 'accepted', 'unknown'))
        then l.price_cents else shown.cents end
    from shown where l.company = ${company} and l.master = ${master} and l.marketplace = ${marketplace} and l.item = shown.item`.execute(
    trx,
  );
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
  const { rows } = await sql<OfferRow & { asin: string; condition: string }>`select * from offers where ${where}
    order by asin, condition, landed_cents, seller, slot`.execute(trx);
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
