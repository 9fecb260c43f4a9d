import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { readSweep } from '#marketplaces/amazon/offer-messages.ts';
import { MarketplaceError, type Connector, type PriceAnswer, type ShownPrice } from '#marketplaces/port.ts';

/**
 * How the marketplace treats a sku: `lost` and `late` disconnect without an answer, before and after accepting the price; `waits`
 * never answers.
 */
export type Mood = 'fine' | 'never live' | 'throttled' | 'lost' | 'late' | 'invalid' | 'broken' | 'locked' | 'waits';

const Update = z.object({
  sku: z.string(),
  cents: z.number(),
  minCents: z.number(),
  maxCents: z.number(),
  idemKey: z.string(),
});
const Answers = z.array(
  z.object({
    sku: z.string(),
    state: z.enum(['ACCEPTED', 'INVALID']),
    reference: z.string(),
    issues: z.array(z.object({ code: z.string(), message: z.string() })),
  }),
);
const ShownPrices = z.array(z.object({ sku: z.string(), cents: z.number().nullable() }));

export type PriceMarket = {
  connector: Connector;
  prices: Map<string, number>;
  /** A competitor's price for a sku, in euros; a sku without an entry gets no answer. */
  rivals: Map<string, number>;
  moods: Map<string, Mood>;
  /** Every price received, accepted or not. */
  came: { sku: string; cents: number; inBounds: boolean }[];
  /** Skus of calls without an answer so far. */
  waiting: readonly string[];
  close(): Promise<void>;
};

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const deps: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) deps.push(part);
  return JSON.parse(Buffer.concat(deps).toString());
}

/** Starts a marketplace on this machine that takes prices over HTTP, with the faults of real ones, and a connector to it. */
export async function startPriceMarket(): Promise<PriceMarket> {
  const prices = new Map<string, number>();
  const moods = new Map<string, Mood>();
  const came: PriceMarket['came'] = [];
  const rivals = new Map<string, number>();
  const waiting: string[] = [];
  const take = ({ sku, cents, minCents, maxCents }: z.infer<typeof Update>): z.infer<typeof Answers>[number] => {
    came.push({ sku, cents, inBounds: cents >= minCents && cents <= maxCents });
    const mood = moods.get(sku) ?? 'fine';
    if (mood === 'invalid')
      return { sku, state: 'INVALID', reference: '', issues: [{ code: '90220', message: 'Preis fehlt' }] };
    if (mood === 'fine' || mood === 'late') prices.set(sku, cents);
    return { sku, state: 'ACCEPTED', reference: `ref-${came.length}`, issues: [] };
  };
  const server = createServer((request, response) => {
    void (async () => {
      const offers = new URL(request.url ?? '/', 'http://x').searchParams.get('offers');
      const skus = new URL(request.url ?? '/', 'http://x').searchParams.get('skus');
      const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
        response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
      if (offers !== null)
        return answer(200, { responses: offers.split(',').map((sku) => sweepEntry(sku, rivals.get(sku))) });
      if (skus !== null)
        return answer(
          200,
          skus.split(',').map((sku) => ({ sku, cents: prices.get(sku) ?? null })),
        );
      const updates = z.array(Update).parse(await bodyOf(request));
      const mood = moods.get(updates[0]?.sku ?? '') ?? 'fine';
      if (mood === 'throttled') return answer(429, {}, { 'retry-after': '7' });
      if (mood === 'locked') return answer(403, {});
      if (mood === 'broken') return answer(400, { field: 'price' });
      if (mood === 'waits') return void waiting.push(updates[0]?.sku ?? '');
      if (mood === 'lost') return response.destroy();
      const answers = updates.map(take);
      return mood === 'late' ? response.destroy() : answer(200, answers);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    prices,
    rivals,
    moods,
    came,
    waiting,
    connector: connectorTo(`http://127.0.0.1:${port}`),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Returns an entry of an answer of getListingOffersBatch. */
function sweepEntry(sku: string, euros: number | undefined) {
  if (euros === undefined) return { status: { statusCode: 404 } };
  const money = (Amount: number) => ({ CurrencyCode: 'EUR', Amount });
  const offer = {
    SellerId: 'K1',
    ListingPrice: money(euros),
    Shipping: money(0),
    IsFulfilledByAmazon: true,
    IsBuyBoxWinner: true,
  };
  const payload = {
    MarketplaceID: 'M1',
    ItemCondition: 'New',
    Identifier: { ASIN: sku.replace('S', 'B') },
    Offers: [offer],
  };
  return { status: { statusCode: 200 }, body: { payload } };
}

function connectorTo(url: string): Connector {
  const rate = { perSecond: 5, burst: 5 };
  return {
    capabilities: () => ({
      rates: { updatePrices: rate, readPrices: { perSecond: 5, burst: 50 }, offers: rate },
      batch: { updatePrices: 1, readPrices: 20, offers: 20 },
      competitorOffers: true,
    }),
    testConnection: async () => {},
    offers: async (articles) => {
      const skus = articles.map(({ sku }) => sku);
      const answer = await fetch(`${url}/?offers=${skus.join(',')}`);
      const { responses } = z.object({ responses: z.array(z.unknown()) }).parse(await answer.json());
      const at = new Date();
      return responses.flatMap(
        (entry, n) => readSweep(entry, { at, id: `sweep-${at.getTime()}-${skus[n] ?? ''}` }) ?? [],
      );
    },
    updatePrices: async (updates, signal): Promise<PriceAnswer[]> => {
      const request = { method: 'POST', body: JSON.stringify(updates), ...(signal === undefined ? {} : { signal }) };
      const answer = await fetch(url, request).catch((error: unknown) => {
        throw new MarketplaceError('unknown', 'Verbindung abgebrochen', { cause: error });
      });
      if (answer.status === 429)
        throw new MarketplaceError('retryable', 'Zu viele Anfragen', {
          delayMs: Number(answer.headers.get('retry-after')) * 1000,
        });
      if (answer.status === 403) throw new MarketplaceError('auth', 'Zugang abgelehnt');
      if (answer.status === 400) throw new MarketplaceError('permanent', 'Angabe falsch', { field: 'price' });
      return Answers.parse(await answer.json());
    },
    readPrices: async (skus): Promise<ShownPrice[]> =>
      ShownPrices.parse(await (await fetch(`${url}/?skus=${skus.join(',')}`)).json()),
  };
}
