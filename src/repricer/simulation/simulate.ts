import type { MaterialisedFieldSource } from '#catalogue/materialised-fields.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { decideListing, fieldsOfRules, gateLimits, type Fields } from '#repricer/decide/decide-listing.ts';
import { gate, type Verdict } from '#repricer/gate/gate.ts';
import { fieldsNow } from '#repricer/model/item-fields.ts';
import { listingPage, type Listing } from '#repricer/model/listings.ts';
import { articleKey, storedOffers } from '#repricer/model/article-offers.ts';
import { parsePrice } from '#repricer/model/price-text.ts';
import { readRule } from '#repricer/model/read-rule.ts';
import { ownAccounts } from '#repricer/decide/reprice-load.ts';
import { gateFigures, loadSafety } from '#repricer/control/safety.ts';
import { type SimulationInput, type Simulated, SimulationTally, type Tallied } from './tally.ts';

export type SimulateDeps = { database: Database; duckdb: DuckDb; fields: MaterialisedFieldSource; clock: Clock };

const chunk = 1000;

/**
 * Simulates a rule for every own offer of a master, on the offers stored now. Works in batches, so that memory does not grow with
 * the catalogue beyond the rows that the tally keeps. The rule counts as active.
 */
export async function simulateNow(
  deps: SimulateDeps,
  ref: { company: string; masterid: string },
  question: SimulationInput,
  signal: AbortSignal,
): Promise<Tallied> {
  const chosen = { rule: question.rule, read: readRule({ ...question.rule, active: true }) };
  const tally = new SimulationTally(question);
  let after = { marketplace: '', item: '' };
  for (;;) {
    signal.throwIfAborted();
    const piece = await loadPiece(deps, ref, question, after, signal);
    for (const listing of piece.listings)
      tally.add(simulateOne(chosen, listing, piece, question.cost_field, deps.clock.now().getTime()));
    const last = piece.listings.at(-1);
    if (last === undefined || piece.listings.length < chunk) return tally.answer();
    after = { marketplace: last.marketplace, item: last.item };
  }
}

async function loadPiece(
  deps: SimulateDeps,
  ref: { company: string; masterid: string },
  { rule, cost_field }: SimulationInput,
  after: { marketplace: string; item: string },
  signal: AbortSignal,
) {
  const loaded = await deps.database.company(ref.company, async (trx) => {
    const listings = await listingPage(trx, ref, after, chunk);
    const offers: Awaited<ReturnType<typeof storedOffers>> = new Map();
    for (const [marketplace, list] of Map.groupBy(listings, (listing) => listing.marketplace)) {
      const stored = await storedOffers(
        trx,
        ref,
        marketplace,
        list.map(({ productId }) => productId),
      );
      for (const [key, value] of stored) offers.set(`${marketplace}\n${key}`, value);
    }
    const safety = gateFigures(await loadSafety(trx, ref));
    return { listings, offers, safety, ...(await ownAccounts(trx, ref)) };
  });
  const items = [...new Set(loaded.listings.map(({ item }) => item))];
  const names = fieldsOfRules([rule]).add(cost_field);
  return { ...loaded, ...(await fieldsNow(deps, ref, { items, names, signal })) };
}
type Piece = Awaited<ReturnType<typeof loadPiece>>;

function simulateOne(
  chosen: Parameters<typeof decideListing>[0],
  listing: Listing,
  piece: Piece,
  costField: string,
  now: number,
): Simulated {
  const fields = piece.fields.get(listing.item) ?? {};
  const offers = piece.offers.get(`${listing.marketplace}\n${articleKey(listing)}`);
  const decision = decideListing(chosen, listing, {
    fields,
    offers,
    sellerIds: [...piece.sellers.values()],
    seller: piece.sellers.get(listing.account),
    limitsCurrency: piece.limitsCurrency,
    without: piece.excluded.has(listing.item) ? 'HOLD_ITEM_EXCLUDED' : undefined,
  });
  const { price_cents, arithmetic, reason, target_seller_id } = decision;
  const verdict: Verdict | undefined =
    price_cents === null
      ? undefined
      : gate({
          now,
          price: price_cents,
          decided: { min: arithmetic.min_cents, max: arithmetic.max_cents, version: 'simulation' },
          limits: { ...gateLimits(chosen.rule, fields), version: 'simulation' },
          before: null,
          limitsReview: false,
          snapshotAt: piece.snapshot?.createdAt.getTime() ?? null,
          current: listing.price,
          dayAgo: null,
          sends: [],
          inFlight: false,
          offers: { at: offers?.at.getTime() ?? null, newest: null, target: arithmetic.target?.landed_cents ?? null },
          switches: { rule: true, active: true, dryRun: false, stopped: false, breaker: false, alarm: false },
          canary: null,
          safety: piece.safety,
        });
  return {
    at: null,
    item: listing.item,
    marketplace: listing.marketplace,
    old_cents: listing.price,
    new_cents: price_cents,
    reason,
    target_seller_id,
    verdict: verdict?.kind ?? 'none',
    held: verdict?.kind === 'hold' ? verdict.reason : '',
    ...marginsOf(costField, fields, { old: listing.price, price: price_cents }),
  };
}

/** Returns the margins of the old and of the new price. A cost with parts of a cent is rounded up. */
export function marginsOf(
  costField: string,
  fields: Fields,
  { old, price }: { old: number | null; price: number | null },
): Pick<Simulated, 'cost_cents' | 'margin_cents' | 'old_margin_cents'> {
  const cost = (costField === '' ? undefined : parsePrice(fields[costField], 'up')) ?? null;
  const less = (from: number | null) => (from === null || cost === null ? null : from - cost);
  return { cost_cents: cost, margin_cents: less(price), old_margin_cents: less(old) };
}
