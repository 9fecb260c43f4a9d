import { z } from 'zod';

/** What a user can switch. Whatever stands against sending wins: all of it is asked again right before a price goes out. */
export const RepricerSwitches = z.object({
  /** REP-02: the add-on itself. Off: nothing is decided, nothing is sent; rules stay. */
  active: z.boolean(),
  /** Prices are decided and recorded as always, but none is sent. */
  dry_run: z.boolean(),
  /** Emergency stop: nothing is sent, not even what waits already. */
  stopped: z.boolean(),
});
export type RepricerSwitches = z.infer<typeof RepricerSwitches>;

/** Since when which prices are put back, why and by whom; the rules rest until somebody ends it. */
/** So many days can be gone back to good prices: as long as what was sent is kept in the database. */
export const GOOD_PRICE_DAYS = 90;

const OpenRestore = z.object({ moment: z.string(), reason: z.string(), author: z.string(), startedAt: z.string() });

/** What putting back the last good prices would do, before anybody does it. */
export const RestorePreview = z
  .object({
    /** Own offers of the catalogue; those whose price would change; those that we never changed; those that need several steps. */
    total: z.number().int(),
    changed: z.number().int(),
    unknown: z.number().int(),
    steps: z.number().int(),
    /** The first of those that change. */
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
  /** What happened, in one sentence. */
  details: z.string(),
  trippedAt: z.string(),
});

/** Whether the fields that running rules read prices from are there as they are after the master's rules and mappings. */
const PriceFields = z.object({
  /** building: the items of the catalogue wait for them; failed: every price is held until they could be computed. */
  kind: z.enum(['ready', 'building', 'failed']),
  /** Since when, when it is tried again, and what is wrong, as far as that is known here. */
  since: z.string().nullable(),
  again: z.string().nullable(),
  message: z.string().nullable(),
});
export type PriceFields = z.infer<typeof PriceFields>;

const Bounds = z.object({ min_cents: z.number().int(), max_cents: z.number().int() });
/** Own offers that are held since their limits moved further than the figures allow after their last price, until somebody has looked at these. */
const ChangedPriceBounds = z.object({
  items: z.number().int(),
  /** There may be more: only the newest decisions are looked at. */
  more: z.boolean(),
  /** A sentence where every move of a limit is asked about, since somebody who may not set prices made it; '': only strong ones are. */
  review: z.string(),
  /** The steepest: limits of the last price, and those of today. */
  examples: z.array(z.object({ item: z.string(), marketplace: z.string(), old: Bounds, now: Bounds })),
});
export type ChangedPriceBounds = z.infer<typeof ChangedPriceBounds>;

export const RepricerState = RepricerSwitches.extend({
  /** Rule ids by priority (REP-03). */
  order: z.array(z.string()),
  /** Revision of the rules, for If-Match. */
  revision: z.number().int(),
  /** The emergency stop of the whole company, and that of the operator for everybody. */
  company_stopped: z.boolean(),
  system_stopped: z.boolean(),
  /** What tripped and holds every price of this catalogue until it is released. */
  breakers: z.array(z.object({ id: z.string(), kind: z.string(), details: z.string(), trippedAt: z.string() })),
  /** Items that sold far too well after their price was lowered, held until they are released: the newest hundred, and how many. */
  alarms: z.array(ItemAlarm),
  alarms_total: z.number().int(),
  /** 'Letzte gute Preise' are put back, or kept; null: the rules decide. */
  restore: OpenRestore.nullable(),
  fields: PriceFields,
  moved_limits: ChangedPriceBounds.nullable(),
  /** Names the limits that hold now, for whoever confirms them. */
  limits_version: z.string(),
}).meta({ id: 'RepricerState' });
export type RepricerState = z.infer<typeof RepricerState>;
