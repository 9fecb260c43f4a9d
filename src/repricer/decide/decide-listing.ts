import type { Offer } from '#marketplaces/port.ts';
import type { PricedItem } from '#repricer/model/priced-item.ts';
import type { Decision } from '#shared/repricer/decision.ts';
import { isComplete, type RepricerRule } from '#shared/repricer/schema.ts';
import { decide, held } from './decide.ts';
import { GATE } from '#repricer/gate/gate.ts';
import { limitOf } from '#repricer/gate/gate-limits.ts';
import type { Listing } from '#repricer/model/listings.ts';
import { readRule, sellerKey, type ReadRule } from '#repricer/model/read-rule.ts';

export type RunningRule = { rule: RepricerRule; read: ReadRule };
export type Fields = Readonly<Record<string, string | null>>;
export type Known = {
  fields: Fields;
  offers: { offers: readonly Offer[] } | undefined;
  sellerIds: readonly string[];
  /** The one of them that sells this offer; undefined: any of them may. */
  seller?: string | undefined;
  /** Currency of the limits; undefined: that of the offer. */
  limitsCurrency?: string | undefined;
  /** Why the item has no fields to decide with. */
  without?: 'HOLD_ITEM_EXCLUDED' | 'HOLD_FIELDS_FAILED' | undefined;
};

/** Returns the active, complete rules by priority. */
export const runningRules = (rules: readonly RepricerRule[]): RunningRule[] =>
  rules.filter((rule) => rule.active && isComplete(rule)).map((rule) => ({ rule, read: readRule(rule) }));

/** Returns the names of all fields from which the rules read prices. */
export const fieldsOfRules = (rules: readonly RepricerRule[]): Set<string> =>
  new Set(
    rules.flatMap(({ action: { min_price, max_price, standard_price } }) => [
      min_price.value,
      max_price.value,
      standard_price.value,
    ]),
  );

/**
 * REP-03: returns the first rule whose three fields have a value for this item; else the first rule, so that the item is held
 * with a reason instead of being left out silently.
 */
export function ruleFor(rules: readonly RunningRule[], fields: Fields): RunningRule | undefined {
  const filled = ({ rule: { action } }: RunningRule) =>
    [action.min_price, action.max_price, action.standard_price].every(
      ({ value }) => (fields[value] ?? '').trim() !== '',
    );
  return rules.find(filled) ?? rules[0];
}

/** Returns the limits as the gate reads them on its own; `standard` is clamped to them, as in the decision. */
export function gateLimits({ action }: RepricerRule, fields: Fields) {
  const min = limitOf(fields[action.min_price.value], 'min');
  const max = limitOf(fields[action.max_price.value], 'max');
  const requested = limitOf(fields[action.standard_price.value], 'standard');
  const standard =
    min === null || max === null || requested === null ? requested : Math.min(Math.max(requested, min), max);
  return { min, max, standard };
}

/**
 * Decides the price of one of our offers. Competing offers far from the standard price are typing errors or traps: they are
 * removed, which the decision records.
 */
export function decideListing(
  { rule, read }: RunningRule,
  listing: Listing,
  { fields, offers, sellerIds, seller, limitsCurrency = listing.currency, without }: Known,
): Decision {
  // Clamped as in the gate: otherwise an offer that counts here would be held there.
  const { standard } = gateLimits(rule, fields);
  const [plausible, implausible] = splitByPlausibility(offers?.offers ?? [], sellerIds, standard);
  const item: PricedItem = {
    currency: listing.currency,
    fields,
    own: {
      seller_ids: [...sellerIds],
      condition: listing.condition,
      fulfilment: listing.fulfilment,
      shipping_cents: ownShipping(listing, offers?.offers ?? [], seller === undefined ? sellerIds : [seller]),
      current_price_cents: listing.price,
    },
  };
  if (without !== undefined) return held(without, item);
  // Limits in another currency do not apply: ten euro as a limit in złoty would be a quarter of it.
  if (limitsCurrency !== listing.currency) return held('HOLD_CURRENCY', item);
  const decision = decide(read, item, offers === undefined ? null : plausible);
  const removed = implausible.map((offer) => ({
    seller_id: sellerKey(offer.seller_id),
    landed_cents: landedOf(offer),
    reason: 'IMPLAUSIBLE' as const,
  }));
  return { ...decision, arithmetic: { ...decision.arithmetic, removed: [...removed, ...decision.arithmetic.removed] } };
}

const landedOf = (offer: Offer) => offer.listing_price_cents + (offer.shipping_cents ?? 0);

function splitByPlausibility(
  offers: readonly Offer[],
  own: readonly string[],
  standard: number | null,
): [Offer[], Offer[]] {
  if (standard === null) return [[...offers], []];
  const isImplausible = (offer: Offer) =>
    offer.listing_price_cents > 0 &&
    !own.includes(sellerKey(offer.seller_id)) &&
    (landedOf(offer) < standard * GATE.lowOffer || landedOf(offer) > standard * GATE.highOffer);
  return [offers.filter((offer) => !isImplausible(offer)), offers.filter(isImplausible)];
}

/** Returns what buyers pay for our shipping: as the marketplace shows it for this seller of ours, else as listed. */
function ownShipping(listing: Listing, offers: readonly Offer[], own: readonly string[]): number | null {
  const shown = offers.filter(
    (offer) =>
      own.includes(sellerKey(offer.seller_id)) &&
      offer.fulfilment === listing.fulfilment &&
      offer.shipping_cents !== null,
  );
  return shown.length === 1 ? (shown[0]?.shipping_cents ?? listing.shipping) : listing.shipping;
}
