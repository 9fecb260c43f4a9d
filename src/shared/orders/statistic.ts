import { z } from 'zod';
import { EuroAmount } from './exchange-rates.ts';

/** How many days of the statistic are kept: ten years, as long as books have to be. */
export const ORDER_DAYS_KEPT = 3653;

/**
 * ORD-04: a day of a channel. `sumSales` is in the currency of the row, `count` pieces; without cancelled ones. A channel that sells in
 * several currencies has a line of its own for each; all but euro say theirs in the name.
 */
export const StatisticRow = z
  .object({
    _id: z.object({ datum: z.string(), marketplaceChannelName: z.string() }),
    sumSales: z.number(),
    count: z.number(),
    channel: z.string(),
    currency: z.string(),
    /** `sumSales` of another currency in euro, by the rate of the day; null: none is known. Absent for euro itself. */
    euro: EuroAmount.nullable().optional(),
    /** Its place among all lines of the company in the order in which they began: a line keeps its colour when others come. */
    position: z.number().int(),
    orders: z.number().int(),
    cancelled: z.number().int(),
    returned: z.number().int(),
    /** Pieces whose price is not known yet: they count, their revenue does not. */
    unpriced: z.number().int(),
  })
  .meta({ id: 'OrderStatisticRow' });
export type StatisticRow = z.infer<typeof StatisticRow>;
