import { z } from 'zod';
import { carrier, channelId, pieces, tracking, trackingText } from './schema.ts';

/** A pasted or uploaded row of tracking numbers, with the result it would have. */
export const TrackingRow = z
  .object({
    line: z.number().int(),
    orderid: z.string(),
    channel: z.string(),
    productid: z.string(),
    quantity: z.number().int().nullable(),
    carrier: z.string(),
    tracking: z.string(),
    returntracking: z.string(),
    state: z.enum(['ready', 'warning', 'error']),
    message: z.string(),
  })
  .meta({ id: 'TrackingRow' });
export type TrackingRow = z.infer<typeof TrackingRow>;

/** A parcel of the bulk form: all open pieces of an order, or the given lines. */
export const BulkParcel = z.object({
  orderid: channelId,
  channel: z.string().min(1).max(40),
  lines: z
    .array(z.object({ productid: channelId, quantity: pieces }))
    .max(1000)
    .optional(),
  carrier,
  tracking,
  returntracking: trackingText.default(''),
});
export type BulkParcel = z.infer<typeof BulkParcel>;
export const BulkResult = z.object({
  orderid: z.string(),
  channel: z.string(),
  ok: z.boolean(),
  message: z.string(),
});
