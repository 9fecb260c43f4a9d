import { z } from 'zod';
import { amountOfCents, centsOfAmount } from '#marketplaces/amounts.ts';
import { refused, type Answer, type Behind, type SandboxRequest } from './exchange.ts';
import { happens } from './faults.ts';
import type { Limited } from './limits.ts';
import { offerBody } from './offers.ts';
import { confirmShipment } from './order-book/confirm-shipment.ts';
import {
  answerDocument,
  createFeed,
  createFeedDocument,
  getFeed,
  getFeedDocument,
  getFeeds,
} from './order-book/feed-calls.ts';
import { getOrder, searchOrders } from './order-book/order-calls.ts';
import { namesAPerson } from './order-book/persons.ts';
import { availability, patchStock, STOCK_PATH } from './order-book/stock-calls.ts';

/** Message for wrong tokens and for missing rights alike; only `details` differs. */
const DENIED = 'Access to requested resource is denied.';
const cut: Answer = { status: 'cut' };

/** Returns the marketplace's answer: first checks token, limits and faults, then runs the operation. */
export function answerTo(behind: Behind, question: SandboxRequest): Answer {
  const { tokens, limits, counters, chance } = behind;
  const at = behind.now();
  // No request to a marketplace needs to contain the buyer's data.
  if (namesAPerson(question.url.href + question.text)) counters.personsSent++;
  if (question.url.pathname.startsWith('/documents/')) return answerDocument(behind, question);
  if (question.url.pathname === '/auth/o2/token') {
    const granted = tokens.grant(new URLSearchParams(question.text), at);
    return granted === undefined
      ? {
          status: 400,
          body: { error: 'invalid_grant', error_description: 'The request has an invalid grant parameter.' },
        }
      : { status: 200, body: granted };
  }
  const operation = operationOf(question);
  if (operation === undefined) return refused(404, 'NotFound', 'The requested resource was not found.');
  const faults = behind.faultsOf(operation);
  counters.calls[operation] = (counters.calls[operation] ?? 0) + 1;
  if (happens(chance, faults.tokenEarly)) tokens.revoke(question.token);
  if (!tokens.counts(question.token, at))
    return refused(403, 'Unauthorized', DENIED, 'The access token you provided has expired.');
  if (tokens.isGrantless(question.token) !== (operation === 'destinations'))
    return refused(403, 'Unauthorized', DENIED);
  const fits = limits.take(operation, at);
  if (!fits) counters.overRate++;
  // As documented, a 429 has no header with the limit.
  if (!fits || happens(chance, faults.throttle))
    return refused(429, 'QuotaExceeded', 'You exceeded your quota for the requested resource.');
  if (happens(chance, faults.error500)) return refused(500, 'InternalFailure', 'We encountered an internal error.');
  if (happens(chance, faults.error503)) return refused(503, 'ServiceUnavailable', 'Temporary overloading.');
  if (happens(chance, faults.cutBefore)) return cut;
  const answer = operations[operation](behind, question);
  if (happens(chance, faults.cutAfter)) return cut;
  if (happens(chance, faults.html)) return { status: 200, body: '<html><body>Wartung</body></html>' };
  return { ...answer, headers: { 'x-amzn-ratelimit-limit': String(limits.granted(operation)) } };
}

const itemPath = /^\/listings\/2021-08-01\/items\/([^/]+)\/([^/]+)$/;

const subscriptionPath = /^\/notifications\/v1\/subscriptions\/([A-Z_]+)$/;

/** Operations by method and path. */
const paths: readonly (readonly [method: string, path: RegExp, operation: Limited])[] = [
  ['PATCH', itemPath, 'patchListingsItem'],
  ['GET', itemPath, 'getListingsItem'],
  ['GET', /^\/notifications\/v1\/destinations$/, 'destinations'],
  ['POST', /^\/notifications\/v1\/destinations$/, 'destinations'],
  ['GET', subscriptionPath, 'subscriptions'],
  ['POST', subscriptionPath, 'subscribe'],
  ['POST', /^\/batches\/products\/pricing\/v0\/listingOffers$/, 'getListingOffersBatch'],
  ['GET', /^\/sellers\/v1\/marketplaceParticipations$/, 'getMarketplaceParticipations'],
  ['GET', /^\/orders\/2026-01-01\/orders$/, 'searchOrders'],
  ['GET', /^\/orders\/2026-01-01\/orders\/[^/]+$/, 'getOrder'],
  ['POST', /^\/orders\/v0\/orders\/[^/]+\/shipmentConfirmation$/, 'confirmShipment'],
  ['POST', /^\/feeds\/2021-06-30\/documents$/, 'createFeedDocument'],
  ['GET', /^\/feeds\/2021-06-30\/documents\/[^/]+$/, 'getFeedDocument'],
  ['POST', /^\/feeds\/2021-06-30\/feeds$/, 'createFeed'],
  ['GET', /^\/feeds\/2021-06-30\/feeds$/, 'getFeeds'],
  ['GET', /^\/feeds\/2021-06-30\/feeds\/[^/]+$/, 'getFeed'],
];

const operationOf = ({ method, url: { pathname } }: SandboxRequest): Limited | undefined =>
  paths.find(([pathMethod, path]) => pathMethod === method && path.test(pathname))?.[2];

const operations: Readonly<Record<Limited, (behind: Behind, question: SandboxRequest) => Answer>> = {
  patchListingsItem,
  getListingsItem,
  getListingOffersBatch,
  searchOrders,
  getOrder,
  confirmShipment,
  createFeedDocument,
  createFeed,
  getFeed,
  getFeeds,
  getFeedDocument,
  destinations: ({ subscriptions }, { method, body }) => subscriptions.answerDestinations(method, body),
  subscriptions: ({ subscriptions }, { method, url, body }) =>
    subscriptions.answerSubscription(method, subscriptionPath.exec(url.pathname)?.[1] ?? '', body),
  subscribe: ({ subscriptions }, { method, url, body }) =>
    subscriptions.answerSubscription(method, subscriptionPath.exec(url.pathname)?.[1] ?? '', body),
  getMarketplaceParticipations: ({ place }) => ({
    status: 200,
    body: {
      payload: [
        {
          marketplace: {
            id: place.marketplace,
            countryCode: 'DE',
            name: 'Amazon.de',
            defaultCurrencyCode: place.currency,
          },
          participation: { isParticipating: true, hasSuspendedListings: false },
        },
      ],
    },
  }),
};

function articleAt({ world, place }: Behind, { url }: SandboxRequest) {
  const [, seller = '', sku = ''] = itemPath.exec(url.pathname)?.map((part) => decodeURIComponent(part)) ?? [];
  const there = url.searchParams.get('marketplaceIds') === place.marketplace && seller === place.sellerId;
  return { sku, article: there ? world.articles.get(sku) : undefined };
}
const noSku = (sku: string) => refused(404, 'NOT_FOUND', `SKU '${sku}' not found in marketplace.`);

const amount = z.array(z.object({ schedule: z.array(z.object({ value_with_tax: z.number() })).min(1) })).min(1);
const StockPatch = z.object({
  patches: z.tuple([z.object({ op: z.enum(['replace', 'merge']), path: z.literal(STOCK_PATH), value: z.unknown() })]),
});
const Patch = z.object({
  productType: z.string().min(1),
  patches: z
    .array(
      z.object({
        op: z.enum(['add', 'replace', 'merge', 'delete']),
        path: z.literal('/attributes/purchasable_offer'),
        value: z.array(z.object({ marketplace_id: z.string(), currency: z.string(), our_price: amount })).min(1),
      }),
    )
    .min(1),
});

function patchListingsItem(behind: Behind, question: SandboxRequest): Answer {
  const { sku, article } = articleAt(behind, question);
  if (article === undefined) return noSku(sku);
  const stock = StockPatch.safeParse(question.body);
  if (stock.success) return patchStock(behind, article, stock.data.patches[0].value);
  const offer = Patch.parse(question.body).patches[0]?.value[0];
  const cents = centsOfAmount(offer?.our_price[0]?.schedule[0]?.value_with_tax) ?? 0;
  const submissionId = `sub-${behind.counters.prices}-${behind.counters.previews}`;
  const preview = question.url.searchParams.get('mode') === 'VALIDATION_PREVIEW';
  if (preview ? behind.world.preview(article, cents) : behind.world.take(article, cents, behind.now()))
    return { status: 200, body: { sku, status: preview ? 'VALID' : 'ACCEPTED', submissionId, issues: [] } };
  const issue = {
    code: '99022',
    message: 'The price is outside of the allowed range.',
    severity: 'ERROR',
    attributeNames: ['purchasable_offer'],
    categories: ['INVALID_PRICE'],
  };
  return { status: 200, body: { sku, status: 'INVALID', submissionId, issues: [issue] } };
}

function getListingsItem(behind: Behind, question: SandboxRequest): Answer {
  const { sku, article } = articleAt(behind, question);
  if (article === undefined) return noSku(sku);
  const { marketplace, currency } = behind.place;
  const foreign = happens(behind.chance, behind.faults().foreignCurrency);
  const price = { currencyCode: foreign ? 'PLN' : currency, amount: amountOfCents(article.live ?? 0).toFixed(2) };
  const offers =
    article.live === null
      ? []
      : [{ marketplaceId: marketplace, offerType: 'B2C', price, audience: { value: 'ALL', displayName: 'Amazon' } }];
  const includedData = question.url.searchParams.get('includedData') ?? '';
  return {
    status: 200,
    body: {
      sku,
      offers,
      ...(includedData.includes('Availability') ? { fulfillmentAvailability: availability(article) } : {}),
    },
  };
}

const Batch = z.object({
  requests: z
    .array(
      z.object({ uri: z.string(), method: z.literal('GET'), MarketplaceId: z.string(), ItemCondition: z.string() }),
    )
    .min(1)
    .max(20),
});

function getListingOffersBatch(behind: Behind, question: SandboxRequest): Answer {
  const { place, world, chance } = behind;
  const responses = Batch.parse(question.body).requests.map(({ uri, MarketplaceId, ItemCondition }) => {
    const sku = decodeURIComponent(/^\/products\/pricing\/v0\/listings\/([^/]+)\/offers$/.exec(uri)?.[1] ?? '');
    const article = MarketplaceId === place.marketplace ? world.articles.get(sku) : undefined;
    const request = { MarketplaceId, SellerSKU: sku, ItemCondition };
    if (article === undefined) {
      const errors = [{ code: 'INVALID_SKU', message: `${sku} is an invalid SKU for marketplace ${MarketplaceId}` }];
      return { status: { statusCode: 400, reasonPhrase: 'Bad Request' }, body: { errors }, request };
    }
    // Answers about a sku name no ASIN, as in the published examples.
    const payload = {
      marketplaceId: MarketplaceId,
      SKU: sku,
      ItemCondition,
      status: 'Success',
      Identifier: { MarketplaceId, ItemCondition, SellerSKU: sku },
      ...offerBody(article, place, chance, behind.faults()),
    };
    return { status: { statusCode: 200, reasonPhrase: 'OK' }, body: { payload }, request };
  });
  return { status: 200, body: { responses } };
}
