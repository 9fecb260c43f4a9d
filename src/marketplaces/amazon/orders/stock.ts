import type { ObservedStock, StockAnswer, StockUpdate } from '#marketplaces/orders-port.ts';
import { MarketplaceError } from '#marketplaces/port.ts';
import { SubmissionAnswer } from '#marketplaces/amazon/answers.ts';
import type { AmazonClient } from '#marketplaces/amazon/client.ts';
import { unreadable } from '#marketplaces/amazon/failures.ts';
import { itemPath, issuesOf } from '#marketplaces/amazon/prices.ts';
import type { AmazonAccount } from '#marketplaces/amazon/settings.ts';
import { AvailabilityAnswer } from './order-answers.ts';
import { issueOf } from './refusals.ts';

export const stockRate = { perSecond: 5, burst: 5 };
/** The channel of stock that the merchant ships himself; Amazon's own warehouses use others. */
const OWN_CHANNEL = 'DEFAULT';
type Signal = AbortSignal | undefined;

/** Returns the patch of one quantity; `merge` keeps its other values (handling time, restock date). */
export const stockPatch = (quantity: number) => ({
  productType: 'PRODUCT',
  patches: [
    {
      op: 'merge',
      path: '/attributes/fulfillment_availability',
      value: [{ fulfillment_channel_code: OWN_CHANNEL, quantity }],
    },
  ],
});

/** Sets the available quantity of one article. @throws MarketplaceError */
export async function setStock(
  client: AmazonClient,
  account: AmazonAccount,
  { sku, quantity }: StockUpdate,
  signal: Signal,
): Promise<StockAnswer> {
  const answer = await client
    .ask({
      method: 'PATCH',
      path: itemPath(account, sku, '&issueLocale=de_DE'),
      body: stockPatch(quantity),
      access: 'write',
      operation: 'updatePrices',
      perSecond: stockRate.perSecond,
      signal,
    })
    .catch((error: unknown) => {
      if (error instanceof MarketplaceError && error.kind === 'permanent') return error;
      throw error;
    });
  if (answer instanceof MarketplaceError) return { sku, state: 'INVALID', issues: [issueOf(answer)] };
  const parsed = SubmissionAnswer.safeParse(answer);
  if (!parsed.success) throw unreadable('write');
  const { status, issues } = parsed.data;
  return { sku, state: status === 'ACCEPTED' ? 'ACCEPTED' : 'INVALID', issues: issuesOf(issues) };
}

/**
 * Returns the available quantity that Amazon shows for one article; null: it does not know the article, or ships it itself.
 * @throws MarketplaceError
 */
export async function readStock(
  client: AmazonClient,
  account: AmazonAccount,
  sku: string,
  signal: Signal,
): Promise<ObservedStock> {
  const answer = await client
    .ask({
      method: 'GET',
      path: itemPath(account, sku, '&includedData=fulfillmentAvailability'),
      access: 'read',
      operation: 'readPrices',
      perSecond: 5,
      signal,
    })
    .catch((error: unknown) => {
      if (error instanceof MarketplaceError && error.kind === 'permanent' && error.field === 'sku') return undefined;
      throw error;
    });
  if (answer === undefined) return { sku, quantity: null };
  const parsed = AvailabilityAnswer.safeParse(answer);
  if (!parsed.success) throw unreadable('read');
  const own = parsed.data.fulfillmentAvailability.find((one) => one.fulfillmentChannelCode === OWN_CHANNEL);
  return { sku, quantity: own?.quantity ?? null };
}
