import type { PriceSafety } from '#shared/repricer/safety.ts';
import type { Offer } from '#marketplaces/port.ts';
import type { Decision } from '#shared/repricer/decision.ts';
import type { RepricerRule } from '#shared/repricer/schema.ts';
import { decideListing, gateLimits, ruleFor, type Fields, type RunningRule } from './decide-listing.ts';
import { gate, type GateInput, type Verdict } from '#repricer/gate/gate.ts';
import type { PriceFacts } from '#repricer/gate/gate-facts.ts';
import type { Listing } from '#repricer/model/listings.ts';
import { restored } from '#repricer/control/restore.ts';

/**
 * Everything besides the rules that determines the price of one of our offers, as plain data, so that a stored decision can be
 * replayed (record/replay.ts). Times are milliseconds, money is cents.
 */
export type PricingInput = {
  now: number;
  listing: Listing;
  fields: Fields;
  /** Why the item has no fields to decide with. */
  without: 'HOLD_ITEM_EXCLUDED' | 'HOLD_FIELDS_FAILED' | null;
  offers: { at: number; list: readonly Offer[] } | null;
  sellerIds: readonly string[];
  /** The one of them that sells this offer; undefined in records of earlier versions. */
  seller?: string | undefined;
  /** Currency of the limits; undefined in records of earlier versions. */
  limitsCurrency?: string | undefined;
  /** The good price to restore instead of the rule's price. */
  good: number | null;
  /** Version of the pricing inputs (see `versionOf`). */
  version: string;
  snapshotAt: number | null;
  /** A user has confirmed strongly changed limits of this version. */
  limitsConfirmed: boolean;
  /** A user without the right to set prices changed what limits come from, and no user with it has confirmed since. */
  limitsReview: boolean;
  facts: PriceFacts;
  switches: Omit<GateInput['switches'], 'rule'>;
  canary: GateInput['canary'];
  safety: PriceSafety;
};

/** `verdict` undefined: there is no price to check. */
export type Priced = { rule: RepricerRule; decision: Decision; verdict: Verdict | undefined };

/** Returns the rule that applies, its decision, and the gate's verdict; undefined if no rule is active. */
export function evaluatePrice(running: readonly RunningRule[], basis: PricingInput): Priced | undefined {
  const { fields, offers, sellerIds, seller, limitsCurrency, good } = basis;
  const chosen = ruleFor(running, fields);
  if (chosen === undefined) return undefined;
  const decided = decideListing(chosen, basis.listing, {
    fields,
    offers: offers === null ? undefined : { offers: offers.list },
    sellerIds,
    seller,
    limitsCurrency,
    without: basis.without ?? undefined,
  });
  const decision = good === null ? decided : restored(decided, good);
  const verdict = decision.price_cents === null ? undefined : gate(questionOf(chosen.rule, decision, basis));
  return { rule: chosen.rule, decision, verdict };
}

function questionOf(rule: RepricerRule, { arithmetic, price_cents }: Decision, basis: PricingInput): GateInput {
  const { now, fields, version, facts, offers, canary, safety } = basis;
  return {
    now,
    price: price_cents ?? Number.NaN,
    decided: { min: arithmetic.min_cents, max: arithmetic.max_cents, version },
    limits: { ...gateLimits(rule, fields), version },
    ...facts,
    before: basis.limitsConfirmed ? null : facts.before,
    limitsReview: basis.limitsReview,
    snapshotAt: basis.snapshotAt,
    current: basis.listing.price,
    offers: {
      at: offers?.at ?? null,
      newest: offers?.at ?? null,
      target: arithmetic.target?.landed_cents ?? null,
    },
    switches: { rule: true, ...basis.switches },
    canary,
    safety,
  };
}
