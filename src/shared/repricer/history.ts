import { z } from 'zod';
import { mainCondition } from './condition.ts';
import { Arithmetic, reasonCodes } from './decision.ts';
import { RepricerRule } from './schema.ts';

const cents = z.number().int();

/** The result of a decided price at the marketplace; `state` unknown is shown as 'ungeklärt'. */
export const SentPrice = z.object({
  price_cents: cents,
  from_cents: cents.nullable(),
  state: z.enum(['new', 'sending', 'accepted', 'live', 'invalid', 'unknown', 'held']),
  held: z.string(),
  message: z.string().nullable(),
  issues: z.array(z.object({ code: z.string(), message: z.string(), field: z.string().optional() })),
  sends: z.number().int(),
  sentAt: z.string().nullable(),
  endedAt: z.string().nullable(),
});

/** 'Warum dieser Preis?': one recorded decision, with all its inputs. */
export const PriceDecision = z
  .object({
    id: z.number().int(),
    decidedAt: z.string(),
    marketplace: z.string(),
    /** The cause: offers:<message>, catalogue, rule, limits, again. */
    cause: z.string(),
    rule: z.string().nullable(),
    ruleName: z.string(),
    ruleRevision: z.number().int(),
    snapshot: z.number().int(),
    /** Revisions of the master's rules and mappings that the limits were computed with; 0: there were none. */
    masterRules: z.number().int(),
    mappings: z.number().int(),
    offersAt: z.string().nullable(),
    price_cents: cents.nullable(),
    reason: z.enum(reasonCodes),
    target_seller_id: z.string().nullable(),
    arithmetic: Arithmetic,
    /** The gate's verdict: submit, step (part of the way), hold, unchanged, none (no price), dry_run; `held`: its reason. */
    verdict: z.enum(['submit', 'step', 'hold', 'unchanged', 'none', 'dry_run']),
    held: z.string(),
    sent: SentPrice.nullable(),
    /** Version of the program that decided; '' in old records without it. */
    program: z.string(),
    /** The seal over this record, and when the chain up to it was last verified; null: not sealed yet. */
    seal: z.object({ number: z.number().int(), sealedAt: z.string(), verifiedAt: z.string().nullable() }).nullable(),
  })
  .meta({ id: 'PriceDecision' });
export type PriceDecision = z.infer<typeof PriceDecision>;

/** Rows of a simulation that can be paged through, the most consequential first. */
export const SIMULATED_ROWS = 100_000;

/** A rule as on the screen, to be simulated on the stored offers. `cost_field`: the cost of an item, for its margin. */
export const SimulationRequest = z.object({
  rule: RepricerRule.extend({ id: z.string().max(64).default('') }),
  cost_field: z.string().max(500).default(''),
  /** Only items with this reason; only prices that move this way. */
  reason: z.enum(reasonCodes).optional(),
  move: z.enum(['up', 'down', 'held']).optional(),
  /** The page is sorted among all rows, so those before it are kept in memory: hence the limit. */
  offset: z.number().int().min(0).max(SIMULATED_ROWS).default(0),
  limit: z.number().int().min(1).max(200).default(50),
  /** now: every own offer on the current offers; history: every moment of the last `days` at which a price was decided. */
  on: z.enum(['now', 'history']).default('now'),
  days: z.number().int().min(1).max(30).default(7),
  /** Only moments of this item. */
  item: z.string().max(500).optional(),
  /** Id of a simulation to continue, if it is still cached; otherwise it is computed anew and has another id. */
  simulation: z.string().max(40).optional(),
});

export const SimulatedPrice = z.object({
  /** The moment in the history; null: now. */
  at: z.string().nullable(),
  item: z.string(),
  marketplace: z.string(),
  old_cents: cents.nullable(),
  new_cents: cents.nullable(),
  reason: z.enum(reasonCodes),
  target_seller_id: z.string().nullable(),
  /** The gate's verdict if it were the first price of the day. */
  verdict: z.enum(['submit', 'step', 'hold', 'unchanged', 'none']),
  held: z.string(),
  cost_cents: cents.nullable(),
  /** New and old price less cost, as the fields have them (taxes are ignored); null if either is missing. */
  margin_cents: cents.nullable(),
  old_margin_cents: cents.nullable(),
});

export const Simulation = z
  .object({
    /** Id of the computation of these rows, and its time. */
    id: z.string(),
    at: z.string(),
    total: z.number().int(),
    /** Number of rows with the requested reason and direction. */
    matching: z.number().int(),
    /** Number of items by reason, and of those whose price rises, falls, stays, is their first, is held. */
    reasons: z.record(z.string(), z.number().int()),
    up: z.number().int(),
    down: z.number().int(),
    same: z.number().int(),
    fresh: z.number().int(),
    held: z.number().int(),
    loss: z.number().int(),
    /** Sums over one piece of every item whose old price and cost are known; held ones keep their price. */
    margin: z.object({
      items: z.number().int(),
      old_cents: cents,
      new_cents: cents,
      old_sales_cents: cents,
      new_sales_cents: cents,
    }),
    /** There are more moments than one request examines: these are the newest. */
    cut: z.boolean(),
    rows: z.array(SimulatedPrice),
  })
  .meta({ id: 'Simulation' });
export type Simulation = z.infer<typeof Simulation>;

/**
 * A field from which a rule may read a price: `value` is the name the rule stores, `example` a value after the master's rules.
 */
export const RepricerField = z
  .object({
    type: z.enum(['_field', '_mapping']),
    name: z.string(),
    value: z.string(),
    /** '': only the master's rules or mappings create it. */
    origin: z.enum(['import', '']),
    note: z.string().optional(),
    example: z.string().optional(),
  })
  .meta({ id: 'RepricerField' });
export type RepricerField = z.infer<typeof RepricerField>;

/** Our own offer of an item in a marketplace. */
export const OwnListing = z.object({
  item: z.string().min(1).max(500),
  marketplace: z.string().min(1).max(100),
  account: z.string().min(1).max(40),
  sku: z.string().min(1).max(200),
  /** The product's id at the marketplace, under the name that callers have always used. */
  asin: z.string().min(1).max(100),
  /** Reduced to its main condition: messages about offers contain no other. */
  condition: z.string().max(50).overwrite(mainCondition).default('new'),
  fulfillment: z.string().max(20).default('MFN'),
  currency: z.string().length(3).toUpperCase().default('EUR'),
  shipping: z.number().int().min(0).max(99_999_999).nullable().default(null),
  price: z.number().int().min(1).max(99_999_999).nullable().default(null),
  stock: z.number().int().min(0).max(99_999_999).nullable().default(null),
});

/** Results of received messages about offers and orders. */
export const OfferIntake = z.object({
  taken: z.number().int(),
  twice: z.number().int(),
  old: z.number().int(),
  unknown: z.number().int(),
  /** With a time in the future. */
  future: z.number().int(),
  unreadable: z.number().int(),
});
export type OfferIntake = z.infer<typeof OfferIntake>;

/** The prices of an item compared, in cents; null: not known. Competitors' prices include shipping, the others do not. */
export const PriceComparison = z
  .object({
    marketplace: z.string(),
    min: cents.nullable(),
    standard: cents.nullable(),
    max: cents.nullable(),
    /** The last price that the marketplace accepted, and the last one it showed. */
    own: cents.nullable(),
    shown: cents.nullable(),
    bestCompetitor: cents.nullable(),
    /** The price in the buy box, and its holder: unknown, we, the best competitor, another one. */
    buyBox: cents.nullable(),
    box: z.enum(['none', 'own', 'best', 'other']),
    /** What buyers pay us for shipping; subtract it from competitors' prices to compare them with ours. */
    ownShipping: cents.nullable(),
    currency: z.string(),
    /** The time of the offers. */
    at: z.string().nullable(),
  })
  .meta({ id: 'PriceComparison' });
export type PriceComparison = z.infer<typeof PriceComparison>;
