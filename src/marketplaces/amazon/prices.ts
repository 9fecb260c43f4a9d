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

/** Path of one article of ours. `more`: what else is asked, as part of the query. */
export const itemPath = ({ sellerId, marketplace }: AmazonAccount, sku: string, more: string) =>
  `/listings/2021-08-01/items/${encodeURIComponent(sellerId)}/${encodeURIComponent(sku)}?marketplaceIds=${encodeURIComponent(marketplace)}${more}`;

/**
 * The patch of one price. `merge` leaves what else belongs to the offer (sale price, business prices); the bounds go along as the
 * marketplace's own, a second barrier behind ours.
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

/** What makes Amazon look at a patch without doing it. */
export const PREVIEW = '&mode=VALIDATION_PREVIEW';

/** `preview`: only asks whether the price would be taken. */
export async function updatePrice(
  client: AmazonClient,
  account: AmazonAccount,
  update: PriceUpdate,
  { preview = false, signal }: { preview?: boolean; signal?: AbortSignal | undefined },
): Promise<PriceAnswer> {
  // A preview does nothing, so what gave no answer may simply be asked again.
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
    // Whatever is not taken is a failure, also with HTTP 200. VALID is said of previews alone: a price itself is not taken by that.
    state: status === 'ACCEPTED' || (preview && status === 'VALID') ? 'ACCEPTED' : 'INVALID',
    reference: submissionId,
    issues: issuesOf(issues),
  };
}

/** What Amazon holds against a patch, in the words of the port. */
export const issuesOf = (issues: z.infer<typeof SubmissionAnswer>['issues']): Issue[] =>
  issues.map(({ code, message, categories, attributeNames }) => ({
    code,
    message: germanOf([code, ...categories], message),
    ...(attributeNames[0] === undefined ? {} : { field: attributeNames[0] }),
  }));

/** The price for consumers that the marketplace shows; one in another currency or for businesses only is none of ours. */
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
