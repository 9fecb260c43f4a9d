import { z } from 'zod';

/** The switches of a user. Anything that prevents sending wins: all is checked again right before a price is sent. */
export const RepricerSwitches = z.object({
  /** REP-02: the add-on itself. Off: nothing is decided or sent; rules stay. */
  active: z.boolean(),
  /** Prices are decided and recorded as always, but none is sent. */
  dry_run: z.boolean(),
  /** Emergency stop: nothing is sent, not even prices already waiting. */
  stopped: z.boolean(),
});
export type RepricerSwitches = z.infer<typeof RepricerSwitches>;

/** How far back good prices can be restored: as long as sent prices are kept in the database. */
export const GOOD_PRICE_DAYS = 90;

/** A restore in progress: which prices, why, by whom and since when; the rules do not decide until a user ends it. */
const OpenRestore = z.object({ moment: z.string(), reason: z.string(), author: z.string(), startedAt: z.string() });

/** The effect of restoring the last good prices, before it starts. */
export const RestorePreview = z
  .object({
    /**
     * Number of own offers of the catalogue; of those whose price would change; of those we never changed; of those that need
     * several steps.
     */
    total: z.number().int(),
    changed: z.number().int(),
    unknown: z.number().int(),
    steps: z.number().int(),
    /** The first of those that would change. */
    rows: z.array(
      z.object({
        item: z.string(),
        marketplace: z.string(),
        from_cents: z.number().int(),
        to_cents: z.number().int(),
      }),
    ),
  })
  .meta({ id: 'RestorePreview' });
export type RestorePreview = z.infer<typeof RestorePreview>;

const ItemAlarm = z.object({
  id: z.string(),
  item: z.string(),
  marketplace: z.string(),
  /** One German sentence on what happened. */
  details: z.string(),
  trippedAt: z.string(),
});

/** Whether the fields from which running rules read prices are materialised after the master's rules and mappings. */
const PriceFields = z.object({
  /** building: the items of the catalogue wait for them; failed: every price is held until they are computed. */
  kind: z.enum(['ready', 'building', 'failed']),
  /** Since when, time of the next attempt, and the error, as far as known here. */
  since: z.string().nullable(),
  again: z.string().nullable(),
  message: z.string().nullable(),
});
export type PriceFields = z.infer<typeof PriceFields>;

const Bounds = z.object({ min_cents: z.number().int(), max_cents: z.number().int() });
/**
 * Own offers that are held because their limits changed more than the figures allow since their last price, until a user confirms
 * the limits.
 */
const ChangedPriceBounds = z.object({
  items: z.number().int(),
  /** There may be more: only the latest decisions are examined. */
  more: z.boolean(),
  /**
   * A sentence if every change of a limit needs a confirmation, since a user without the right to set prices made it; '': only
   * strong changes do.
   */
  review: z.string(),
  /** The largest changes: limits of the last price, and today's. */
  examples: z.array(z.object({ item: z.string(), marketplace: z.string(), old: Bounds, now: Bounds })),
});
export type ChangedPriceBounds = z.infer<typeof ChangedPriceBounds>;

export const RepricerState = RepricerSwitches.extend({
  /** Rule ids by priority (REP-03). */
  order: z.array(z.string()),
  /** Revision of the rules, for If-Match. */
  revision: z.number().int(),
  /** The emergency stop of the whole company, and the operator's for all companies. */
  company_stopped: z.boolean(),
  system_stopped: z.boolean(),
  /** The installation was restored from a backup and sends nothing until the operator releases it. */
  outgoing_held: z.boolean(),
  /** Breakers that tripped and hold every price of this catalogue until they are released. */
  breakers: z.array(z.object({ id: z.string(), kind: z.string(), details: z.string(), trippedAt: z.string() })),
  /**
   * Items that sold far too well after their price was lowered, held until they are released: the newest hundred, and the total.
   */
  alarms: z.array(ItemAlarm),
  alarms_total: z.number().int(),
  /** 'Letzte gute Preise' are being restored or kept; null: the rules decide. */
  restore: OpenRestore.nullable(),
  fields: PriceFields,
  moved_limits: ChangedPriceBounds.nullable(),
  /** Version of the current limits, for their confirmation. */
  limits_version: z.string(),
}).meta({ id: 'RepricerState' });
export type RepricerState = z.infer<typeof RepricerState>;
