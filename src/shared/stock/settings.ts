import { z } from 'zod';

const percent = z.number().int().min(0).max(100);
const count = z.number().int().min(0).max(9_999_999);

/** How much of the available stock one channel (a marketplace account or an export) may offer. */
export const StockChannel = z
  .object({
    id: z.string().min(1).max(40),
    active: z.boolean(),
    /** With at most this many pieces available, it offers none. */
    floor: count,
    /** It never offers more; null: no limit. */
    cap: count.nullable(),
    /** Percent of the available pieces. */
    share: percent,
  })
  .meta({ id: 'StockChannel' });
export type StockChannel = z.infer<typeof StockChannel>;

/** How a catalogue's stock is computed, and when sending is held. */
export const StockSettings = z
  .object({
    /** Name of the field that holds the stock; '': no stock is computed. */
    field: z.string().max(300).default(''),
    /** The number in the field already excludes open orders. */
    contains_open_orders: z.boolean().default(false),
    buffer_pieces: count.default(0),
    buffer_percent: percent.default(0),
    channels: z
      .array(StockChannel)
      .max(200)
      .refine(
        (channels) => new Set(channels.map(({ id }) => id)).size === channels.length,
        'Ein Kanal steht zweimal da.',
      )
      .default([]),
    /** Held if more than this percentage of the offered articles would fall to 0; 100: never for that reason. */
    hold_percent: percent.default(30),
    /** Held if the source is older than this many hours; 0: whatever its age. */
    source_hours: z.number().int().min(0).max(8760).default(48),
  })
  .meta({ id: 'StockSettings' });
export type StockSettings = z.infer<typeof StockSettings>;

/** With fewer articles for sale than this, falls to 0 are normal and hold nothing. */
export const HOLD_LEAST = 20;

/** Returns the settings of a channel not set up yet: nothing is offered there. */
export const newStockChannel = (id: string): StockChannel => ({ id, active: false, floor: 0, cap: null, share: 100 });
