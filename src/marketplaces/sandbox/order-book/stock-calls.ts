import { z } from 'zod';
import type { Answer, Behind } from '#marketplaces/sandbox/exchange.ts';
import { happens } from '#marketplaces/sandbox/faults.ts';
import type { Article } from '#marketplaces/sandbox/world.ts';

/** The path of a patch that sets what is for sale. */
export const STOCK_PATH = '/attributes/fulfillment_availability';

/** What a patch says of a number for sale. */
export const StockValue = z
  .array(z.strictObject({ fulfillment_channel_code: z.literal('DEFAULT'), quantity: z.number().int().min(0) }))
  .length(1);

/** Takes a quantity, as absolute as it is; what was ordered since does not come off it. */
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

/** What an answer says of what is for sale; nothing where it was never told. */
export const availability = ({ listed }: Article) => [
  { fulfillmentChannelCode: 'DEFAULT', ...(listed === null ? {} : { quantity: listed }) },
];
