import {
  MarketplaceError,
  type Capabilities,
  type Connector,
  type Mailbox,
  type Operation,
  type OwnArticle,
  type PriceAnswer,
  type ShownPrice,
} from '#marketplaces/port.ts';
import type { Rate } from '#platform/token-buckets.ts';
import { readSweep, skusOf } from './offer-messages.ts';
import { BatchAnswer, ParticipationsAnswer } from './answers.ts';
import { AmazonClient, type AmazonDeps } from './client.ts';
import { unreadable } from './failures.ts';
import { subscribe } from './notifications.ts';
import { readPrice, updatePrice } from './prices.ts';
import { amazonOrders } from './orders/order-port.ts';
import { MessageQueue } from './queue.ts';
import type { AmazonAccount, QueueAccess } from './settings.ts';

/** Amazon's default limits; a limit that an answer names takes precedence. */
const rates: Readonly<Record<Operation, Rate>> = {
  updatePrices: { perSecond: 5, burst: 5 },
  readPrices: { perSecond: 5, burst: 10 },
  offers: { perSecond: 0.5, burst: 1 },
};

/** Returns one account's connector to the Selling Partner API. Failures are classified, nothing is retried (see port.ts). */
export function amazonConnector(deps: AmazonDeps, account: AmazonAccount): Connector {
  const client = new AmazonClient(deps, account);
  const { queue } = account;
  return {
    ...(queue === undefined ? {} : { messages: mailbox(deps, client, queue) }),
    orders: amazonOrders(deps, client, account),
    capabilities: () => capabilities(client),
    testConnection: () => testConnection(client, account),
    updatePrices: async (updates, signal) => {
      const answers: PriceAnswer[] = [];
      try {
        for (const update of updates) answers.push(await updatePrice(client, account, update, { signal }));
      } catch (error) {
        // An exception would apply to all prices, but some may have been set already.
        if (answers.length === 0) throw error;
        throw new MarketplaceError('unknown', 'Nur ein Teil der Preise wurde beantwortet.', { cause: error });
      }
      return answers;
    },
    previewPrice: (update, signal) => updatePrice(client, account, update, { preview: true, signal }),
    readPrices: async (skus, signal) => {
      const shown: ShownPrice[] = [];
      for (const sku of skus) shown.push(await readPrice(client, account, sku, signal));
      return shown;
    },
    offers: async (articles, signal) => {
      const at = deps.clock.now();
      const answer = BatchAnswer.safeParse(
        await client.ask({
          method: 'POST',
          path: '/batches/products/pricing/v0/listingOffers',
          body: offersRequest(account, articles),
          access: 'read',
          operation: 'offers',
          signal,
        }),
      );
      if (!answer.success) throw unreadable('read');
      // An entry that failed says nothing about its article. Amazon does not promise the order of entries: the position only
      // counts where an entry names none of the requested articles.
      return answer.data.responses.flatMap((entry, index) => {
        const named = skusOf(entry);
        const article = articles.find(({ sku }) => named.includes(sku)) ?? articles[index];
        const id = `sweep-${at.getTime()}-${article?.sku ?? ''}`;
        return (article && readSweep(entry, { at, id, productId: article.productId })) ?? [];
      });
    },
  };
}

function mailbox(deps: AmazonDeps, client: AmazonClient, access: QueueAccess): Mailbox {
  const queue = new MessageQueue(deps, access);
  return {
    receive: (waitSeconds, signal) => queue.receive(waitSeconds, signal),
    acknowledge: (receipts) => queue.acknowledge(receipts),
    subscribe: () => subscribe(client, access.url),
  };
}

/** Returns the body of getListingOffersBatch: one request per article, at most 20. */
export function offersRequest(account: AmazonAccount, articles: readonly OwnArticle[]) {
  return {
    requests: articles.map(({ sku, condition }) => ({
      uri: `/products/pricing/v0/listings/${encodeURIComponent(sku)}/offers`,
      method: 'GET',
      MarketplaceId: account.marketplace,
      ItemCondition: condition.charAt(0).toUpperCase() + condition.slice(1),
    })),
  };
}

function capabilities(client: AmazonClient): Capabilities {
  const rate = (operation: Operation): Rate => {
    const usual = rates[operation];
    const granted = client.limit(operation);
    if (granted === undefined) return usual;
    return { perSecond: granted, burst: Math.max(1, Math.round((usual.burst * granted) / usual.perSecond)) };
  };
  return {
    rates: { updatePrices: rate('updatePrices'), readPrices: rate('readPrices'), offers: rate('offers') },
    batch: { updatePrices: 1, readPrices: 1, offers: 20 },
    competitorOffers: true,
  };
}

async function testConnection(client: AmazonClient, account: AmazonAccount): Promise<void> {
  const parsed = ParticipationsAnswer.safeParse(
    await client.ask({
      method: 'GET',
      path: '/sellers/v1/marketplaceParticipations',
      access: 'read',
      operation: 'testConnection',
    }),
  );
  if (!parsed.success) throw unreadable('read');
  const entry = parsed.data.payload.find(({ marketplace }) => marketplace.id === account.marketplace);
  if (entry?.participation.isParticipating !== true)
    throw new MarketplaceError(
      'permanent',
      'Die Anmeldung gelingt, aber dieses Verkäuferkonto nimmt an dem gewählten Marktplatz nicht teil.',
      { field: 'marketplace' },
    );
}
