import type { Offer } from '#marketplaces/port.ts';
import type { PricedItem } from '#repricer/model/priced-item.ts';
import type { Arithmetic, Competitor, Decision, DecisionReason } from '#shared/repricer/decision.ts';
import { competitorsOf, type Field } from './competitors.ts';
import { parsePrice } from '#repricer/model/price-text.ts';
import type { ReadRule, Terms } from '#repricer/model/read-rule.ts';

type Bounds = { min: number; max: number; standard: number };

/**
 * Returns the price of a rule for an item among these offers. Pure: the same input gives the same result, whatever the order of
 * the offers. Integer cents; `price_cents` excludes shipping, null means: do not change. The decision table is in
 * docs/repricer.md; whether a price may be sent is decided by the gate.
 */
export function decide(rule: ReadRule, item: PricedItem, offers: readonly Offer[] | null): Decision {
  const sum = emptyArithmetic(item);
  const hold = (reason: DecisionReason) => answer(sum, reason, null, null);
  if (!rule.active) return hold('HOLD_RULE_PAUSED');
  const { terms } = rule;
  if (terms === undefined) return hold('HOLD_RULE_INCOMPLETE');
  sum.diff_cents = terms.diff;
  const bounds = readBounds(terms, item, sum);
  if (bounds === undefined) return hold('HOLD_BOUNDS_INVALID');
  if (bounds.min > bounds.max) return hold('HOLD_BOUNDS_INVERTED');
  const standard = clamp(bounds.standard, bounds);
  sum.standard_cents = standard;
  sum.standard_clamped = standard !== bounds.standard;
  if (offers === null) return hold('HOLD_NO_OFFER_DATA');
  const shipping = ownShipping(item);
  if (shipping === null) return hold('HOLD_OWN_SHIPPING_UNKNOWN');
  sum.own_shipping_cents = shipping;
  return compete(terms, { ...bounds, standard }, competitorsOf(terms, item, offers), sum);
}

/** Returns a decision that leaves the price unchanged for a reason of the item itself. */
export const held = (reason: DecisionReason, item: Pick<PricedItem, 'own'>): Decision =>
  answer(emptyArithmetic(item), reason, null, null);

function compete(terms: Terms, bounds: Bounds, field: Field, sum: Arithmetic): Decision {
  const { competitors, removed, buyBox, ownBuyBox } = field;
  sum.competitors = competitors;
  sum.removed = removed;
  const alone = terms.alone === 'max' ? bounds.max : bounds.standard;
  const [lowest] = competitors;
  if (lowest === undefined) return answer(sum, 'NO_COMPETITION', alone, null);
  if (terms.strategy === 2 && ownBuyBox !== undefined) {
    const clamped = sum.current_cents === null ? null : clamp(sum.current_cents, bounds);
    return answer(sum, 'OWN_BUYBOX_HOLD', clamped, ownBuyBox);
  }
  const target = terms.strategy === 2 ? (buyBox ?? lowest) : lowest;
  const below = (sum.own_shipping_cents ?? 0) + terms.diff;
  const price = target.landed_cents - below;
  sum.first_target = target;
  sum.target = target;
  sum.computed_cents = price;
  if (price < bounds.min) return belowMinimum(terms, bounds, { competitors, below, alone }, sum);
  if (price > bounds.max) return answer(sum, 'CAPPED_AT_MAX', bounds.max, target.seller_id);
  const reason =
    terms.strategy === 1 ? 'COMPETE_LOWEST' : buyBox === undefined ? 'BUYBOX_NONE_LOWEST' : 'COMPETE_BUYBOX';
  return answer(sum, reason, price, target.seller_id);
}

/** REP-08: the first target cannot be undercut without going below the minimum. */
function belowMinimum(
  terms: Terms,
  bounds: Bounds,
  rest: { competitors: readonly Competitor[]; below: number; alone: number },
  sum: Arithmetic,
): Decision {
  const target = sum.target?.seller_id ?? null;
  if (terms.belowMin === 1) return answer(sum, 'BELOW_MIN_TO_MIN', bounds.min, target);
  if (terms.belowMin === 2) return answer(sum, 'BELOW_MIN_TO_STANDARD', bounds.standard, target);
  const next = rest.competitors.find(({ landed_cents }) => landed_cents - rest.below >= bounds.min);
  if (next === undefined) {
    sum.target = null;
    return answer(sum, 'BELOW_MIN_NO_NEXT', rest.alone, null);
  }
  sum.target = next;
  sum.computed_cents = next.landed_cents - rest.below;
  return answer(sum, 'BELOW_MIN_NEXT_SELLER', Math.min(sum.computed_cents, bounds.max), next.seller_id);
}

function readBounds(terms: Terms, item: PricedItem, sum: Arithmetic): Bounds | undefined {
  const given = (field: string) => (Object.hasOwn(item.fields, field) ? item.fields[field] : undefined);
  const isForeign = (text: unknown) => item.currency !== 'EUR' && typeof text === 'string' && /EUR|€/.test(text);
  // A price marked as euro is invalid for an offer in another currency.
  const value = (field: string) => (isForeign(given(field)) ? undefined : given(field));
  const min = parsePrice(value(terms.minField), 'up');
  const max = parsePrice(value(terms.maxField), 'down');
  const standard = parsePrice(value(terms.standardField), 'half');
  sum.min_cents = min ?? null;
  sum.max_cents = max ?? null;
  sum.standard_given_cents = standard ?? null;
  return min === undefined || max === undefined || standard === undefined ? undefined : { min, max, standard };
}

const clamp = (price: number, { min, max }: Bounds): number => Math.min(Math.max(price, min), max);

/** Returns our shipping cost for the buyer: 0 if the marketplace ships. */
function ownShipping({ own }: PricedItem): number | null {
  return own.fulfilment === 'marketplace' ? 0 : own.shipping_cents;
}

function emptyArithmetic(item: Pick<PricedItem, 'own'>): Arithmetic {
  return {
    min_cents: null,
    max_cents: null,
    standard_cents: null,
    standard_given_cents: null,
    standard_clamped: false,
    own_shipping_cents: null,
    diff_cents: null,
    current_cents: item.own.current_price_cents,
    target: null,
    computed_cents: null,
    first_target: null,
    competitors: [],
    removed: [],
  };
}

function answer(
  arithmetic: Arithmetic,
  reason: DecisionReason,
  price_cents: number | null,
  target_seller_id: string | null,
): Decision {
  return { price_cents, reason, target_seller_id, arithmetic };
}
