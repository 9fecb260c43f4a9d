import type { z } from 'zod';
import { amountOfCents, centsOfAmount } from '#marketplaces/amounts.ts';
import {
  MarketplaceError,
  type Issue,
  type PriceAnswer,
  type PriceUpdate,
  type ShownPrice,
} from '#marketplaces/port.ts';
import { ListingAnswer, SubmissionAnswer } from './answers.ts';
import type { AmazonClient } from './client.ts';
import { germanOf, unreadable } from './failures.ts';
import type { AmazonAccount } from './settings.ts';

/** Returns the path of one of our articles. `more`: further parameters of the query. */
export const itemPath = ({ sellerId, marketplace }: AmazonAccount, sku: string, more: string) =>
  `/listings/2021-08-01/items/${encodeURIComponent(sellerId)}/${encodeURIComponent(sku)}?marketplaceIds=${encodeURIComponent(marketplace)}${more}`;

/**
 * Returns the patch of one price. `merge` keeps the offer's other values (sale price, business prices). The bounds are sent as
 * the marketplace's own limits: a second barrier after ours.
 */
export function pricePatch(account: AmazonAccount, { cents, minCents, maxCents, currency }: PriceUpdate) {
  const price = (value: number) => [{ schedule: [{ value_with_tax: amountOfCents(value) }] }];
  return {
    productType: 'PRODUCT',
    patches: [
      {
        op: 'merge',
        path: '/attributes/purchasable_offer',
        value: [
          {
            marketplace_id: account.marketplace,
            currency,
            audience: 'ALL',
            our_price: price(cents),
            minimum_seller_allowed_price: price(minCents),
            maximum_seller_allowed_price: price(maxCents),
          },
        ],
      },
    ],
  };
}

/** Makes Amazon only check a patch, without applying it. */
export const PREVIEW = '&mode=VALIDATION_PREVIEW';

/** Sets a price. `preview`: only checks whether it would be accepted. */
export async function updatePrice(
  client: AmazonClient,
  account: AmazonAccount,
  update: PriceUpdate,
  { preview = false, signal }: { preview?: boolean; signal?: AbortSignal | undefined },
): Promise<PriceAnswer> {
  // A preview changes nothing, so without an answer it may simply be retried.
  const access = preview ? 'read' : 'write';
  const answer = await client.ask({
    method: 'PATCH',
    path: itemPath(account, update.sku, `&issueLocale=de_DE${preview ? PREVIEW : ''}`),
    body: pricePatch(account, update),
    access,
    operation: 'updatePrices',
    signal,
  });
  const parsed = SubmissionAnswer.safeParse(answer);
  if (!parsed.success) throw unreadable(access);
  const { status, submissionId, issues } = parsed.data;
  return {
    sku: update.sku,
    // Any other status is a failure, even with HTTP 200. Only previews return VALID: it does not mean that a price was set.
    state: status === 'ACCEPTED' || (preview && status === 'VALID') ? 'ACCEPTED' : 'INVALID',
    reference: submissionId,
    issues: issuesOf(issues),
  };
}

/** Translates Amazon's issues with a patch into the port's type. */
export const issuesOf = (issues: z.infer<typeof SubmissionAnswer>['issues']): Issue[] =>
  issues.map(({ code, message, categories, attributeNames }) => ({
    code,
    message: germanOf([code, ...categories], message),
    ...(attributeNames[0] === undefined ? {} : { field: attributeNames[0] }),
  }));

/** Returns the consumer price that the marketplace shows; a price in another currency, or for businesses only, does not count. */
export async function readPrice(
  client: AmazonClient,
  account: AmazonAccount,
  sku: string,
  signal?: AbortSignal,
): Promise<ShownPrice> {
  const answer = await client
    .ask({
      method: 'GET',
      path: itemPath(account, sku, '&includedData=offers'),
      access: 'read',
      operation: 'readPrices',
      signal,
    })
    .catch((error: unknown) => {
      if (error instanceof MarketplaceError && error.kind === 'permanent' && error.field === 'sku') return undefined;
      throw error;
    });
  if (answer === undefined) return { sku, cents: null };
  const parsed = ListingAnswer.safeParse(answer);
  if (!parsed.success) throw unreadable('read');
  const offer = parsed.data.offers.find(
    ({ marketplaceId, offerType, price }) =>
      marketplaceId === account.marketplace && offerType !== 'B2B' && price.currencyCode === account.currency,
  );
  return { sku, cents: offer === undefined ? null : centsOfAmount(offer.price.amount) };
}
