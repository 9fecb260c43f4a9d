import { sql } from 'kysely';
import type { PriceRuler } from '#shared/repricer-history.ts';
import { articleKey, landedOf, storedOffers } from './article-offers.ts';
import { fieldsOfRules, gateLimits, ruleFor, runningRules } from './decide-listing.ts';
import { fieldsNow, noFields } from './item-fields.ts';
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
  parts: SimulateParts,
  place: { company: string; masterid: string },
  item: string,
  marketplace: string | undefined,
): Promise<PriceRuler> {
  const found = await parts.database.company(place.company, async (trx) => {
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
      offersNow: offers.get(articleKey(listing)),
      own: new Set(await ownSellers(trx, place.company)),
      rules: runningRules((await loadRepricerRules(trx, place)).rules),
    };
  });
  if (found === undefined) return nothing;
  const { listing, offersNow, own, rules } = found;
  const names = fieldsOfRules(rules.map(({ rule }) => rule));
  // Where they cannot be computed no bounds are known; the decisions below the ruler say why.
  const known = await fieldsNow(parts, place, { items: rules.length === 0 ? [] : [item], names }).catch(() => noFields);
  const fields = known.fields.get(item);
  const chosen = ruleFor(rules, fields ?? {});
  const limits = chosen && gateLimits(chosen.rule, fields ?? {});
  const offers = (offersNow?.offers ?? []).filter(
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
    at: offersNow?.at.toISOString() ?? null,
  };
}
