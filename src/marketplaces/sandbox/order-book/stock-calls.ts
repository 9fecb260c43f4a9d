import { z } from 'zod';
import type { Answer, Behind } from '#marketplaces/sandbox/exchange.ts';
import { happens } from '#marketplaces/sandbox/faults.ts';
import type { Article } from '#marketplaces/sandbox/world.ts';

/** The path of a patch that sets the available quantity. */
export const STOCK_PATH = '/attributes/fulfillment_availability';

/** The value of such a patch. */
export const StockValue = z
  .array(z.strictObject({ fulfillment_channel_code: z.literal('DEFAULT'), quantity: z.number().int().min(0) }))
  .length(1);

/** Sets a quantity as an absolute number; orders placed meanwhile are not deducted. */
export function patchStock({ chance, counters, faults }: Behind, article: Article, value: unknown): Answer {
  const { sku } = article;
  const parsed = StockValue.safeParse(value);
  counters.stockUpdates++;
  const submissionId = `stock-${counters.stockUpdates}`;
  const [first] = parsed.data ?? [];
  if (first === undefined) {
    const issue = {
      code: '90220',
      message: "The value of 'quantity' is invalid.",
      severity: 'ERROR',
      attributeNames: ['fulfillment_availability'],
      categories: ['INVALID_ATTRIBUTE'],
    };
    return { status: 200, body: { sku, status: 'INVALID', submissionId, issues: [issue] } };
  }
  if (!happens(chance, faults().ignored)) article.listed = first.quantity;
  return { status: 200, body: { sku, status: 'ACCEPTED', submissionId, issues: [] } };
}

/** Returns the available quantity as an answer shows it; none if it was never set. */
export const availability = ({ listed }: Article) => [
  { fulfillmentChannelCode: 'DEFAULT', ...(listed === null ? {} : { quantity: listed }) },
];
