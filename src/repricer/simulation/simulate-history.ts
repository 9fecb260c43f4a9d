import { pg } from '#platform/db/pg.ts';
import type { Row } from '#platform/db/row.ts';
import type { Trx } from '#platform/db/database.ts';
import type { Offer } from '#marketplaces/port.ts';
import { articleKey, readSellers, storedOffers } from '#repricer/model/article-offers.ts';
import { decideListing, fieldsOfRules } from '#repricer/decide/decide-listing.ts';
import { fieldsNow } from '#repricer/model/item-fields.ts';
import { listingsOf, type Listing } from '#repricer/model/listings.ts';
import { readRule } from '#repricer/model/read-rule.ts';
import { ownAccounts } from '#repricer/decide/reprice-load.ts';
import { marginsOf, type SimulateDeps } from './simulate.ts';
import { type SimulationInput, type Simulated, SimulationTally, type Tallied } from './tally.ts';

/**
 * Moments simulated per request, and those read for that, the newest, so that the cost does not grow with the history: in a long
 * one of articles that are no longer ours few can be simulated. `piece`: how many are read at a time.
 */
const LIMITS = { simulated: 5000, read: 50_000, piece: 500 };

type Moment = Row<'price_decisions', 'id' | 'item' | 'marketplace' | 'decided_at' | 'current_cents' | 'price_cents'> & {
  sellers: string | null;
};

/**
 * Simulates a rule at every moment of the last days at which a price was decided, next to the decision of then, with what each
 * seller charged in that minute (lowest price with shipping, who held the box). The history has no ratings and no limits: ratings
 * are today's if the seller is still there, else unknown; limits are today's. The gate is not applied.
 */
export async function simulateHistory(
  deps: SimulateDeps,
  ref: { company: string; masterid: string },
  question: SimulationInput,
  signal: AbortSignal,
  limits = LIMITS,
): Promise<Tallied> {
  const chosen = { rule: question.rule, read: readRule({ ...question.rule, active: true }) };
  const tally = new SimulationTally(question);
  const { database } = deps;
  const since = new Date(deps.clock.now().getTime() - question.days * 24 * 60 * 60_000);
  let before: number | undefined;
  let read = 0;
  for (;;) {
    signal.throwIfAborted();
    const page = await database.company(ref.company, (trx) =>
      momentsOf(trx, ref, { before, item: question.item, most: limits.piece }),
    );
    // Ids rise with time: the first moment that is too old ends the loop, so that older ones are never read.
    const moments = page.filter(({ decided_at }) => decided_at >= since);
    const known = await knownAt(deps, ref, question, moments, signal);
    for (const moment of moments) {
      const row = replay(chosen, moment, known, question.cost_field);
      if (row !== undefined) tally.add(row);
    }
    before = moments.at(-1)?.id;
    read += moments.length;
    if (page.length < limits.piece || moments.length < page.length || before === undefined) return tally.answer();
    if (tally.total >= limits.simulated || read >= limits.read) return tally.answer(true);
  }
}

async function momentsOf(
  trx: Trx,
  { company, masterid }: { company: string; masterid: string },
  { before, item, most }: { before: number | undefined; item: string | undefined; most: number },
): Promise<Moment[]> {
  // Raw SQL: finds the latest few first, then joins; nested in the builder that is hard to see.
  const { rows } = await pg<Moment>`select d.id, d.item, d.marketplace, d.decided_at, d.current_cents, d.price_cents,
      m.sellers::text as sellers
    from (select * from price_decisions where company = ${company} and master = ${masterid} and offers_at is not null
        and (${before ?? null}::bigint is null or id < ${before ?? null}::bigint)
        and (${item ?? null}::text is null or item = ${item ?? null})
      order by id desc limit ${most}) d
    left join listings l on l.company = d.company and l.master = d.master and l.marketplace = d.marketplace and l.item = d.item
    left join offer_minutes m on m.company = d.company and m.master = d.master and m.marketplace = d.marketplace and m.product_id = d.product_id
      and m.condition = l.condition and m.minute = date_trunc('minute', d.offers_at)
    order by d.id desc`.execute(trx);
  return rows;
}

async function knownAt(
  deps: SimulateDeps,
  ref: { company: string; masterid: string },
  { rule, cost_field }: SimulationInput,
  moments: readonly Moment[],
  signal: AbortSignal,
) {
  const items = [...new Set(moments.map(({ item }) => item))];
  const loaded = await deps.database.company(ref.company, async (trx) => {
    const listings = new Map<string, Listing>();
    const ratings = new Map<string, Offer>();
    for (const marketplace of new Set(moments.map((moment) => moment.marketplace))) {
      const list = await listingsOf(trx, ref, marketplace, items);
      for (const listing of list) listings.set(`${marketplace}\n${listing.item}`, listing);
      const productIds = list.map(({ productId }) => productId);
      for (const [key, { offers }] of await storedOffers(trx, ref, marketplace, productIds))
        for (const offer of offers) ratings.set(`${marketplace}\n${key}\n${offer.seller_id}`, offer);
    }
    return { listings, ratings, ...(await ownAccounts(trx, ref)) };
  });
  const names = fieldsOfRules([rule]).add(cost_field);
  return { ...loaded, ...(await fieldsNow(deps, ref, { items, names, signal })) };
}
type Known = Awaited<ReturnType<typeof knownAt>>;

/** Replays one moment; undefined if the item is no longer ours, or its offers were not stored. */
function replay(
  chosen: Parameters<typeof decideListing>[0],
  moment: Moment,
  known: Known,
  costField: string,
): Simulated | undefined {
  const listing = known.listings.get(`${moment.marketplace}\n${moment.item}`);
  if (listing === undefined || moment.sellers === null) return undefined;
  const fields = known.fields.get(moment.item) ?? {};
  const sellerIds = [...known.sellers.values()];
  const offers = readSellers(moment.sellers).map(([seller, landed, box]): Offer => {
    const today = known.ratings.get(`${moment.marketplace}\n${articleKey(listing)}\n${seller}`);
    return {
      seller_id: seller,
      condition: listing.condition,
      fulfilment: today?.fulfilment ?? 'merchant',
      listing_price_cents: landed,
      shipping_cents: sellerIds.includes(seller) ? null : 0,
      currency: listing.currency,
      is_buybox: box === 1,
      feedback_count: today?.feedback_count ?? null,
      feedback_rating: today?.feedback_rating ?? null,
    };
  });
  const decision = decideListing(
    chosen,
    { ...listing, price: moment.current_cents },
    {
      fields,
      offers: { offers },
      sellerIds,
      seller: known.sellers.get(listing.account),
      limitsCurrency: known.limitsCurrency,
      without: known.excluded.has(moment.item) ? 'HOLD_ITEM_EXCLUDED' : undefined,
    },
  );
  const { price_cents, reason, target_seller_id } = decision;
  return {
    at: moment.decided_at.toISOString(),
    item: moment.item,
    marketplace: moment.marketplace,
    old_cents: moment.price_cents,
    new_cents: price_cents,
    reason,
    target_seller_id,
    verdict: price_cents === null ? 'none' : price_cents === moment.price_cents ? 'unchanged' : 'submit',
    held: '',
    ...marginsOf(costField, fields, { old: moment.price_cents, price: price_cents }),
  };
}
