import type { CatalogueRef } from '#catalogue/catalogue-ref.ts';
import type { Trx } from '#platform/db/database.ts';
import { KontorError } from '#platform/errors.ts';
import type { Offer } from '#marketplaces/port.ts';
import type { PriceComparison } from '#shared/repricer/history.ts';
import { articleKey, landedOf, storedOffers } from '#repricer/model/article-offers.ts';
import {
  decideListing,
  fieldsOfRules,
  gateLimits,
  ruleFor,
  runningRules,
  type Fields,
} from '#repricer/decide/decide-listing.ts';
import { fieldsNow, noFields } from '#repricer/model/item-fields.ts';
import { listingsOf, type Listing } from '#repricer/model/listings.ts';
import { ownAccounts } from '#repricer/decide/reprice-load.ts';
import { sellerKey } from '#repricer/model/read-rule.ts';
import { loadRepricerRules } from '#repricer/rules/rule-store.ts';
import type { SimulateDeps } from '#repricer/simulation/simulate.ts';

type ListingPrices = { listing: Listing; shown: number | null; known: { at: Date; offers: Offer[] } | undefined };
type Rules = { rules: ReturnType<typeof runningRules>; fields: Fields; own: Awaited<ReturnType<typeof ownAccounts>> };

/**
 * Returns how the prices of an item compare now, in the requested marketplace or in each it is sold in. Limits are those of the
 * rule that would price it; without a rule they are unknown. No decision needs to exist.
 */
export async function priceComparisonsOf(
  deps: SimulateDeps,
  ref: CatalogueRef,
  item: string,
  marketplace: string | undefined,
): Promise<PriceComparison[]> {
  const { sold, rules, own } = await deps.database.company(ref.company, async (trx) => ({
    sold: await soldIn(trx, ref, item, marketplace),
    rules: runningRules((await loadRepricerRules(trx, ref)).rules),
    own: await ownAccounts(trx, ref),
  }));
  if (sold.length === 0) return [];
  const names = fieldsOfRules(rules.map(({ rule }) => rule));
  const known = await fieldsNow(deps, ref, { items: rules.length === 0 ? [] : [item], names }).catch(
    (error: unknown) => {
      // If they cannot be computed, limits are unknown; the decisions shown below the price comparison say why.
      if (error instanceof KontorError && error.code === 'fields_failed') return noFields;
      throw error;
    },
  );
  return sold.map((one) => priceComparisonOf(one, { rules, fields: known.fields.get(item) ?? {}, own }));
}

async function soldIn(
  trx: Trx,
  ref: CatalogueRef,
  item: string,
  marketplace: string | undefined,
): Promise<ListingPrices[]> {
  const rows = await trx
    .selectFrom('listings')
    .select(['marketplace', 'live_cents'])
    .where((eb) => eb.and({ company: ref.company, master: ref.masterid, item }))
    .where((eb) => (marketplace === undefined ? eb.lit(true) : eb('marketplace', '=', marketplace)))
    .orderBy('marketplace')
    .execute();
  const sold: ListingPrices[] = [];
  for (const row of rows) {
    const [listing] = await listingsOf(trx, ref, row.marketplace, [item]);
    if (listing === undefined) continue;
    const offers = await storedOffers(trx, ref, listing.marketplace, [listing.productId]);
    sold.push({ listing, shown: row.live_cents, known: offers.get(articleKey(listing)) });
  }
  return sold;
}

function priceComparisonOf(
  { listing, shown, known }: ListingPrices,
  { rules, fields, own: { sellers, limitsCurrency } }: Rules,
): PriceComparison {
  const [sellerIds, seller] = [[...sellers.values()], sellers.get(listing.account)];
  const chosen = ruleFor(rules, fields);
  const limits = chosen && gateLimits(chosen.rule, fields);
  const decision =
    chosen && decideListing(chosen, listing, { fields, offers: known, sellerIds, seller, limitsCurrency });
  const offers = (known?.offers ?? []).filter(
    ({ currency, listing_price_cents }) => currency === listing.currency && listing_price_cents > 0,
  );
  const isOurs = ({ seller_id }: Offer) => sellerIds.includes(sellerKey(seller_id));
  const everybody = offers
    .filter((offer) => !isOurs(offer))
    .map((offer) => ({ landed_cents: landedOf(offer), is_buybox: offer.is_buybox }))
    .toSorted((one, other) => one.landed_cents - other.landed_cents);
  // The rule's competitors; all sellers if the decision ended before that step or no rule is active.
  const stopped = decision === undefined || decision.reason.startsWith('HOLD_');
  const [best, ...others] = stopped ? everybody : decision.arithmetic.competitors;
  const ourBox = offers.find((offer) => offer.is_buybox && isOurs(offer));
  const box = best?.is_buybox === true ? best : others.find(({ is_buybox }) => is_buybox);
  return {
    marketplace: listing.marketplace,
    min: limits?.min ?? null,
    standard: limits?.standard ?? null,
    max: limits?.max ?? null,
    own: listing.price,
    shown,
    bestCompetitor: best?.landed_cents ?? null,
    buyBox: ourBox ? landedOf(ourBox) : (box?.landed_cents ?? null),
    box: ourBox ? 'own' : box === undefined ? 'none' : box === best ? 'best' : 'other',
    ownShipping: decision?.arithmetic.own_shipping_cents ?? listing.shipping,
    currency: listing.currency,
    at: known?.at.toISOString() ?? null,
  };
}
