import { z } from 'zod';
import { accountField, defineConnector, type ConnectorDeps } from '#marketplaces/connector-kind.ts';
import { neverSent } from '#marketplaces/never-sent.ts';
import {
  MarketplaceError,
  type Connector,
  type OfferSnapshot,
  type PriceAnswer,
  type ReadMessage,
} from '#marketplaces/port.ts';
import { RATE } from './market.ts';
import { tinyOrders } from './order-connector.ts';

const MARKETPLACE = 'KLEIN';
const CURRENCY = 'CHF';

const field = (label: string, more: { help?: string; address?: true; boundTo?: string[] } = {}) =>
  z
    .string()
    .default('')
    .register(accountField, { label, required: true, ...more });

const Known = z.object({
  sku: z.string(),
  article: z.string(),
  offers: z.array(
    z.object({ seller: z.string(), cents: z.number().int(), shipping: z.number().int(), fromStore: z.boolean() }),
  ),
});
const Change = z.object({ sku: z.string(), receipt: z.string().default(''), refused: z.string().optional() });
const Message = z.object({ number: z.number(), at: z.iso.datetime(), offers: Known });
const refusals: Readonly<Record<string, { message: string; field: string }>> = {
  unknown: { message: 'Diesen Artikel gibt es im Kleinmarkt nicht.', field: 'sku' },
  range: { message: 'Der Kleinmarkt lehnt den Preis ab: er liegt außerhalb der Grenzen.', field: 'price' },
};

function snapshotOf({ article, offers }: z.infer<typeof Known>, eventAt: Date, message: string): OfferSnapshot {
  return {
    marketplace: MARKETPLACE,
    productId: article,
    condition: 'new',
    eventAt,
    message,
    offers: offers.map(({ seller, cents, shipping, fromStore }) => ({
      seller_id: seller,
      condition: 'new',
      fulfilment: fromStore ? 'marketplace' : 'merchant',
      listing_price_cents: cents,
      shipping_cents: shipping,
      currency: CURRENCY,
      is_buybox: false,
      feedback_count: null,
      feedback_rating: null,
    })),
  };
}

const readMessage: ReadMessage = (raw) => {
  const { data } = Message.safeParse(raw);
  return data && { about: 'offers', snapshot: snapshotOf(data.offers, new Date(data.at), `klein-${data.number}`) };
};

type Access = { address: string; key: string };
export type Ask = <T>(
  call: { method: 'GET' | 'POST'; path: string; body?: unknown; write?: true; signal?: AbortSignal | undefined },
  answer: z.ZodType<T>,
) => Promise<T>;

/** Makes one call. If a write's answer is lost, its effect is unknown; a read may be retried. */
const askOf =
  ({ egress }: ConnectorDeps, { address, key }: Access): Ask =>
  async ({ method, path, body, write, signal }, schema) => {
    const lost = write ? 'unknown' : 'retryable';
    const answer = await egress
      .exchange(`${address}${path}`, {
        method,
        headers: { authorization: key },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        timeoutMs: 5000,
        maxBytes: 1_000_000,
        signal,
      })
      .catch((error: unknown) => {
        signal?.throwIfAborted();
        const kind = neverSent(error) ? 'retryable' : lost;
        throw new MarketplaceError(kind, 'Der Kleinmarkt antwortet nicht.', { cause: error });
      });
    if (answer.status === 401) throw new MarketplaceError('auth', 'Der Schlüssel gilt im Kleinmarkt nicht.');
    if (answer.status === 429) {
      const delayMs = Number(answer.header('retry-after') ?? 1) * 1000;
      throw new MarketplaceError('retryable', 'Der Kleinmarkt bremst: zu viele Anfragen.', { delayMs });
    }
    const read = answer.status === 200 ? schema.safeParse(jsonOf(answer.text)) : undefined;
    if (read?.success !== true) throw new MarketplaceError(lost, `Der Kleinmarkt ist gestört (${answer.status}).`);
    return read.data;
  };

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const nothing = z.object({});

function tinyConnector(deps: ConnectorDeps, access: Access, currency: string): Connector {
  const ask = askOf(deps, access);
  return {
    capabilities: () => ({
      rates: { updatePrices: RATE, readPrices: RATE, offers: RATE },
      batch: { updatePrices: 10, readPrices: 10, offers: 5 },
      competitorOffers: true,
    }),
    testConnection: async () => void (await ask({ method: 'GET', path: '/account' }, nothing)),
    updatePrices: async (updates, signal) => {
      const body = updates.map(({ sku, cents, idemKey }) => ({ sku, cents, id: idemKey }));
      const answers = await ask({ method: 'POST', path: '/prices', body, write: true, signal }, z.array(Change));
      return answers.map(({ sku, receipt, refused }): PriceAnswer => {
        const why = refused === undefined ? undefined : refusals[refused];
        return {
          sku,
          state: refused === undefined ? 'ACCEPTED' : 'INVALID',
          reference: receipt,
          issues: why === undefined ? [] : [{ code: refused ?? '', ...why }],
        };
      });
    },
    readPrices: async (skus, signal) => {
      const shown = z.array(z.number().int().nullable());
      const prices = await ask({ method: 'POST', path: '/shown', body: skus, signal }, shown);
      return skus.map((sku, n) => ({ sku, cents: prices[n] ?? null }));
    },
    offers: async (articles, signal) => {
      const body = articles.map(({ sku }) => sku);
      const found = await ask({ method: 'POST', path: '/offers', body, signal }, z.array(Known.nullable()));
      const at = deps.clock.now();
      return found.flatMap((one) => (one === null ? [] : [snapshotOf(one, at, `klein-${one.sku}-${at.getTime()}`)]));
    },
    orders: tinyOrders(ask, currency),
    messages: {
      receive: async (_seconds, signal) => {
        const list = z.array(z.object({ receipt: z.string(), body: z.unknown() }));
        const waiting = await ask({ method: 'GET', path: '/messages', signal }, list);
        return waiting.map(({ receipt, body }) => ({ receipt, message: readMessage(body) }));
      },
      acknowledge: async (receipts) =>
        void (await ask({ method: 'POST', path: '/messages/done', body: receipts }, nothing)),
      subscribe: async () => void (await ask({ method: 'POST', path: '/subscription' }, nothing)),
    },
  };
}

/** The connector of a marketplace that is not Amazon: all code specific to it is in this folder. */
export const tinyMarket = defineConnector({
  id: 'tiny',
  label: 'Kleinmarkt',
  marketplaces: [{ id: MARKETPLACE, name: 'Kleinmarkt', currency: CURRENCY }],
  sellerHelp: 'Ihre Kundennummer',
  groups: [],
  settings: z.object({
    address: field('Adresse', { address: true }),
    region: z
      .enum(['nord', 'sued'])
      .default('nord')
      .register(accountField, { label: 'Region', choices: { nord: 'Nord', sued: 'Süd' } }),
  }),
  secrets: z.object({ key: field('Schlüssel', { boundTo: ['address'] }) }),
  readMessage,
  connect: (deps, { currency, settings: { address }, secrets: { key } }) =>
    tinyConnector(deps, { address, key }, currency),
});
