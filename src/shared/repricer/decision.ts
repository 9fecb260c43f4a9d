import { z } from 'zod';
import { REPRICER_LIMITS, RepricerRule } from './schema.ts';

/** Programs send null for unknown values: treated as absent. */
const orMissing = <T extends z.ZodType>(schema: T) => z.preprocess((value) => value ?? undefined, schema);

/** A competitor's (or our own) offer. Money is integer cents; `shipping_cents` null counts as 0, feedback null is unknown. */
const Offer = z
  .object({
    seller_id: z.string().max(100),
    condition: orMissing(z.string().max(50).default('new')),
    fulfillment: orMissing(z.string().max(20).default('MFN')),
    listing_price_cents: z.number().int(),
    shipping_cents: z.number().int().nullable().default(null),
    currency: orMissing(z.string().max(10).default('EUR')),
    is_buybox: orMissing(z.boolean().default(false)),
    feedback_count: z.number().nullable().default(null),
    feedback_rating: z.number().nullable().default(null),
  })
  .meta({ id: 'Offer' });

/** The input of a decision: the item's fields by name, and our own offer. `shipping_cents` null: not known. */
export const PricedItem = z.object({
  currency: orMissing(z.string().max(10).default('EUR')),
  fields: z.record(z.string(), z.union([z.string(), z.number(), z.null()])).default({}),
  own: z.object({
    seller_ids: orMissing(z.array(z.string().max(100)).max(100).default([])),
    condition: orMissing(z.string().max(50).default('new')),
    fulfillment: orMissing(z.string().max(20).default('MFN')),
    shipping_cents: z.number().int().nullable().default(null),
    current_price_cents: z.number().int().nullable().default(null),
  }),
});
export type PricedItem = z.infer<typeof PricedItem>;

/** All reasons of a decision with their German labels. Those that begin with HOLD_ leave the price unchanged. */
export const decisionReasons = {
  HOLD_RULE_PAUSED: 'Regel pausiert',
  HOLD_RULE_INCOMPLETE: 'Regel unvollständig',
  HOLD_ITEM_EXCLUDED: 'Artikel von einer Master-Regel ausgeschlossen',
  HOLD_FIELDS_FAILED: 'Master-Regeln nicht ausgerechnet',
  HOLD_BOUNDS_INVALID: 'Preisgrenze fehlt oder ist nicht lesbar',
  HOLD_BOUNDS_INVERTED: 'Mindestpreis über Maximalpreis',
  HOLD_NO_OFFER_DATA: 'Keine Angebotsdaten',
  HOLD_OWN_SHIPPING_UNKNOWN: 'Eigene Versandkosten unbekannt',
  NO_COMPETITION: 'Kein Wettbewerb',
  OWN_BUYBOX_HOLD: 'BuyBox gehört uns',
  BELOW_MIN_TO_MIN: 'Unter Mindestpreis: auf Mindestpreis',
  BELOW_MIN_TO_STANDARD: 'Unter Mindestpreis: auf Standardpreis',
  BELOW_MIN_NEXT_SELLER: 'Unter Mindestpreis: nächstbester Verkäufer',
  BELOW_MIN_NO_NEXT: 'Unter Mindestpreis: kein weiterer Verkäufer',
  CAPPED_AT_MAX: 'Auf Maximalpreis begrenzt',
  COMPETE_LOWEST: 'Günstigster Wettbewerber',
  COMPETE_BUYBOX: 'BuyBox-Inhaber',
  BUYBOX_NONE_LOWEST: 'Niemand in der BuyBox: günstigster Wettbewerber',
  RESTORED: 'Letzter guter Preis wiederhergestellt',
  HOLD_RESTORE_BOUNDS: 'Letzter guter Preis liegt außerhalb der Grenzen',
  HOLD_CURRENCY: 'Preisgrenzen in einer anderen Währung als das Angebot',
} as const;
export type DecisionReason = keyof typeof decisionReasons;
export const reasonCodes = [
  'HOLD_RULE_PAUSED',
  'HOLD_RULE_INCOMPLETE',
  'HOLD_ITEM_EXCLUDED',
  'HOLD_FIELDS_FAILED',
  'HOLD_BOUNDS_INVALID',
  'HOLD_BOUNDS_INVERTED',
  'HOLD_NO_OFFER_DATA',
  'HOLD_OWN_SHIPPING_UNKNOWN',
  'NO_COMPETITION',
  'OWN_BUYBOX_HOLD',
  'BELOW_MIN_TO_MIN',
  'BELOW_MIN_TO_STANDARD',
  'BELOW_MIN_NEXT_SELLER',
  'BELOW_MIN_NO_NEXT',
  'CAPPED_AT_MAX',
  'COMPETE_LOWEST',
  'COMPETE_BUYBOX',
  'BUYBOX_NONE_LOWEST',
  'RESTORED',
  'HOLD_RESTORE_BOUNDS',
  'HOLD_CURRENCY',
] as const satisfies readonly DecisionReason[];

/** Why an offer does not compete, in the order of the filters. */
export const removalReasons = {
  IMPLAUSIBLE: 'Preis unglaubwürdig',
  CONDITION: 'anderer Zustand',
  OWN: 'eigenes Angebot',
  CURRENCY: 'andere Währung',
  PRICE: 'Preis ungültig',
  EXCLUDED: 'Verkäufer ausgeschlossen',
  REVIEWS: 'zu wenige Bewertungen',
  RATING: 'Bewertung zu schlecht',
  SAME_SELLER: 'günstigeres Angebot desselben Verkäufers zählt',
} as const;
export type RemovalReason = keyof typeof removalReasons;
export const removalCodes = [
  'IMPLAUSIBLE',
  'CONDITION',
  'OWN',
  'CURRENCY',
  'PRICE',
  'EXCLUDED',
  'REVIEWS',
  'RATING',
  'SAME_SELLER',
] as const satisfies readonly RemovalReason[];

const cents = z.number().int();

/** A competing seller, by its offer that counts. */
export const Competitor = z
  .object({
    seller_id: z.string(),
    listing_cents: cents,
    shipping_cents: cents,
    landed_cents: cents,
    is_buybox: z.boolean(),
  })
  .meta({ id: 'Competitor' });
export type Competitor = z.infer<typeof Competitor>;

/**
 * Everything the price was computed from, so that a page can show it: the limits as read, the competitors (by landed price), the
 * removed offers with the reason, and the sum `computed = target.landed - own_shipping - diff`. Members that the decision did not
 * reach are null.
 */
export const Arithmetic = z
  .object({
    min_cents: cents.nullable(),
    max_cents: cents.nullable(),
    /** The standard price that was used, clamped to the limits, and the one in the field. */
    standard_cents: cents.nullable(),
    standard_given_cents: cents.nullable(),
    standard_clamped: z.boolean(),
    own_shipping_cents: cents.nullable(),
    diff_cents: cents.nullable(),
    current_cents: cents.nullable(),
    target: Competitor.nullable(),
    /** The price that undercuts the first target; if below the minimum, another target or none may have replaced that. */
    computed_cents: cents.nullable(),
    first_target: Competitor.nullable(),
    competitors: z.array(Competitor),
    removed: z.array(z.object({ seller_id: z.string(), landed_cents: cents, reason: z.enum(removalCodes) })),
  })
  .meta({ id: 'Arithmetic' });
export type Arithmetic = z.infer<typeof Arithmetic>;

/** `price_cents` null: the price is not changed. It is the item's price without shipping. */
export const Decision = z
  .object({
    price_cents: cents.nullable(),
    reason: z.enum(reasonCodes),
    target_seller_id: z.string().nullable(),
    arithmetic: Arithmetic,
  })
  .meta({ id: 'Decision' });
export type Decision = z.infer<typeof Decision>;

/** `offers` null: no data; an empty list: no competitors. */
export const DecideRequest = z.object({
  rule: RepricerRule.extend({ id: z.string().max(64).default('') }),
  item: PricedItem,
  offers: z.array(Offer).max(REPRICER_LIMITS.offers).nullable().default(null),
});
