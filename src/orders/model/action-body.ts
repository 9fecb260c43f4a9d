import { z } from 'zod';
import type { OrderAction } from '#marketplaces/orders-port.ts';

const on = { order: z.string(), idemKey: z.string(), orderedAt: z.coerce.date() };
const pieces = z.object({ line: z.string(), quantity: z.number().int() });
const amount = { cents: z.number().int(), currency: z.string() };

/** The stored JSON of an action, parsed to the type the port takes. */
const ActionBody = z.discriminatedUnion('kind', [
  z.object({
    ...on,
    kind: z.literal('ship'),
    reference: z.string(),
    shippedAt: z.coerce.date(),
    carrier: z.string(),
    tracking: z.string(),
    returnTracking: z.string(),
    lines: z.array(pieces),
  }),
  z.object({
    ...on,
    ...amount,
    kind: z.literal('cancel'),
    ...pieces.shape,
    ordered: z.number().int(),
    reason: z.string(),
  }),
  z.object({ ...on, ...amount, kind: z.literal('return'), ...pieces.shape, reason: z.string() }),
  z.object({ ...on, ...amount, kind: z.literal('refund'), line: z.string(), reason: z.string() }),
]);

/** Parses the stored body of an action. @throws ZodError for a row of another program version */
export const readActionBody = (body: string): OrderAction => ActionBody.parse(JSON.parse(body));
