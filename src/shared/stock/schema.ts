import { z } from 'zod';

export const stockFilters = ['alle', 'ausverkauft', 'knapp', 'abweichend'] as const;
export type StockFilter = (typeof stockFilters)[number];
/** Articles with at most this many available pieces, but at least one, count as scarce ('knapp'). */
export const FEW_PIECES = 5;

const count = z.number().int();

/** A channel's offer of an article. `shown`: the number the channel shows; null: unknown. */
export const StockOffer = z
  .object({
    channel: z.string(),
    offered: count,
    shown: count.nullable(),
    /** Numbers are sent to accounts only; an export's channel reads its feed. */
    account: z.boolean(),
    state: z.enum(['new', 'accepted', 'refused', 'unknown']),
    message: z.string(),
  })
  .meta({ id: 'StockOffer' });
export type StockOffer = z.infer<typeof StockOffer>;

export const StockRow = z
  .object({
    item: z.string(),
    on_hand: count,
    /** Whether the source has a readable number for it. */
    source: z.enum(['ok', 'unreadable', 'missing']),
    reserved: count,
    buffer: count,
    available: count,
    offers: z.array(StockOffer),
  })
  .meta({ id: 'StockRow' });
export type StockRow = z.infer<typeof StockRow>;

export const StockChannelName = z
  .object({ id: z.string(), name: z.string(), account: z.boolean() })
  .meta({ id: 'StockChannelName' });
export type StockChannelName = z.infer<typeof StockChannelName>;

/** Why sending is held ('' if it is not), and the origin of the numbers. */
export const StockState = z
  .object({
    /** Whether a field with the stock has been chosen. */
    configured: z.boolean(),
    held: z.string(),
    held_at: z.string().nullable(),
    released_by: z.string().nullable(),
    release_reason: z.string().nullable(),
    source_at: z.string().nullable(),
    computed_at: z.string().nullable(),
    /** The numbers do not reflect the latest settings and snapshot yet. */
    computing: z.boolean(),
  })
  .meta({ id: 'StockState' });
export type StockState = z.infer<typeof StockState>;

/** How a number was computed, one German sentence per step, with the reserving orders. */
export const StockReason = z
  .object({
    row: StockRow,
    steps: z.array(z.string()),
    orders: z.array(
      z.object({
        orderid: z.string(),
        channel: z.string(),
        channel_name: z.string(),
        placed_at: z.string(),
        pending: z.boolean(),
        open: count,
        /** Pieces shipped since the source's number was taken. */
        left: count,
      }),
    ),
    /** Number of orders beyond those listed. */
    more_orders: count,
    channels: z.array(z.object({ channel: z.string(), name: z.string(), sentences: z.array(z.string()) })),
  })
  .meta({ id: 'StockReason' });
export type StockReason = z.infer<typeof StockReason>;

/** What saving the settings would change now. Counts are articles. */
export const StockEffect = z
  .object({
    total: count,
    changed: count,
    to_zero: count,
    channels: z.array(
      z.object({ id: z.string(), name: z.string(), offered: count, changed: count, to_zero: count, from_zero: count }),
    ),
  })
  .meta({ id: 'StockEffect' });
export type StockEffect = z.infer<typeof StockEffect>;
