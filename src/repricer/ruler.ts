import { sql } from 'kysely';
import { liveSnapshot } from '#items/snapshots.ts';
import type { PriceRuler } from '#shared/repricer-history.ts';
import { articleKey, landedOf, storedOffers } from './article-offers.ts';
import { fieldsOfRules, gateLimits, ruleFor, runningRules } from './decide-listing.ts';
import { itemFields } from './item-fields.ts';
import { listingsOf } from './listings.ts';
import { ownSellers } from './reprice-load.ts';
import { sellerKey } from './read-rule.ts';
import { loadRepricerRules } from './rule-store.ts';
import type { SimulateParts } from './simulate.ts';

const nothing: PriceRuler = {
  min: null,
  standard: null,
  max: null,
  own: null,
  shown: null,
  bestCompetitor: null,
  buyBox: null,
  currency: 'EUR',
  at: null,
};

/**
 * Where the prices of an item stand to each other now, in the marketplace asked for or the first one that it is sold in. Bounds are
 * those of the rule that would price it; without one they are not known.
 */
export async function rulerOf(
  { database, duck, places }: SimulateParts,
  place: { company: string; masterid: string },
  item: string,
  marketplace: string | undefined,
): Promise<PriceRuler> {
  const found = await database.company(place.company, async (trx) => {
    const { rows } = await sql<{
      marketplace: string;
      live_cents: number | null;
    }>`select marketplace, live_cents from listings
      where company = ${place.company} and master = ${place.masterid} and item = ${item}
        and (${marketplace ?? null}::text is null or marketplace = ${marketplace ?? null}) order by marketplace limit 1`.execute(
      trx,
    );
    const [row] = rows;
    const [listing] = row === undefined ? [] : await listingsOf(trx, place, row.marketplace, [item]);
    if (row === undefined || listing === undefined) return undefined;
    const offers = await storedOffers(trx, place, listing.marketplace, [listing.asin]);
    return {
      listing,
      shown: row.live_cents,
      known: offers.get(articleKey(listing)),
      own: new Set(await ownSellers(trx, place.company)),
      rules: runningRules((await loadRepricerRules(trx, place)).rules),
      snapshot: await liveSnapshot(trx, place.company, place.masterid),
    };
  });
  if (found === undefined) return nothing;
  const { listing, known, own, rules, snapshot } = found;
  const path = snapshot && places.snapshot(place.company, place.masterid, snapshot.number);
  const names = fieldsOfRules(rules.map(({ rule }) => rule));
  const fields = snapshot && path ? (await itemFields(duck, { path, snapshot }, [item], names)).get(item) : undefined;
  const chosen = ruleFor(rules, fields ?? {});
  const limits = chosen && gateLimits(chosen.rule, fields ?? {});
  const offers = (known?.offers ?? []).filter(
    ({ currency, listing_price_cents }) => currency === listing.currency && listing_price_cents > 0,
  );
  const others = offers.filter(({ seller_id }) => !own.has(sellerKey(seller_id)));
  const lowest = (list: typeof offers) => (list.length === 0 ? null : Math.min(...list.map(landedOf)));
  return {
    min: limits?.min ?? null,
    standard: limits?.standard ?? null,
    max: limits?.max ?? null,
    own: listing.price,
    shown: found.shown,
    bestCompetitor: lowest(others),
    buyBox: lowest(offers.filter(({ is_buybox }) => is_buybox)),
    currency: listing.currency,
    at: known?.at.toISOString() ?? null,
  };
}
