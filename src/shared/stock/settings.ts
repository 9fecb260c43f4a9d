import { z } from 'zod';

const percent = z.number().int().min(0).max(100);
const count = z.number().int().min(0).max(9_999_999);

/** What one channel (an account at a marketplace, or an export) may offer of what is available. */
export const StockChannel = z
  .object({
    id: z.string().min(1).max(40),
    active: z.boolean(),
    /** With so many pieces or fewer left, it offers none. */
    floor: count,
    /** It never offers more; null: as many as there are. */
    cap: count.nullable(),
    /** Percent of what is available. */
    share: percent,
  })
  .meta({ id: 'StockChannel' });
export type StockChannel = z.infer<typeof StockChannel>;

/** How the numbers of a catalogue's stock come about, and when they are held back. */
export const StockSettings = z
  .object({
    /** Name of the field that holds the stock; '': no stock is computed. */
    field: z.string().max(300).default(''),
    /** The number in the field has the open orders taken off already. */
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
    /** Held when more than so many percent of the offered articles would fall to 0; 100: never for that. */
    hold_percent: percent.default(30),
    /** Held when the source is older than so many hours; 0: whatever its age. */
    source_hours: z.number().int().min(0).max(8760).default(48),
  })
  .meta({ id: 'StockSettings' });
export type StockSettings = z.infer<typeof StockSettings>;

/** With fewer articles for sale than that, falling to 0 is daily life and holds nothing. */
export const HOLD_LEAST = 20;

/** The terms of a channel that nobody set up yet: it gets nothing from us. */
export const newStockChannel = (id: string): StockChannel => ({ id, active: false, floor: 0, cap: null, share: 100 });
