import { z } from 'zod';
import { EuroAmount } from './exchange-rates.ts';

/** Days that the statistic is kept: ten years, the legal period for accounts. */
export const ORDER_DAYS_KEPT = 3653;

/**
 * ORD-04: a day of a channel. `sumSales` is in the currency of the row, `count` is pieces; cancelled ones are left out. A channel
 * that sells in several currencies has a line for each; all but euro have the currency in the name.
 */
export const StatisticRow = z
  .object({
    _id: z.object({ datum: z.string(), marketplaceChannelName: z.string() }),
    sumSales: z.number(),
    count: z.number(),
    channel: z.string(),
    currency: z.string(),
    /** `sumSales` of another currency in euro, by the rate of the day; null: no rate is known. Absent for euro itself. */
    euro: EuroAmount.nullable().optional(),
    /**
     * Its position among all lines of the company in the order in which they began: a line keeps its colour when others are
     * added.
     */
    position: z.number().int(),
    orders: z.number().int(),
    cancelled: z.number().int(),
    returned: z.number().int(),
    /** Pieces whose price is not known yet: they are counted, their revenue is not. */
    unpriced: z.number().int(),
  })
  .meta({ id: 'OrderStatisticRow' });
export type StatisticRow = z.infer<typeof StatisticRow>;
