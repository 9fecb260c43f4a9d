import { createServer } from 'node:http';
import { once } from 'node:events';
import { z } from 'zod';
import { accountField, defineConnector } from '#marketplaces/connector-kind.ts';
import { MarketplaceError } from '#marketplaces/port.ts';

const field = (label: string, more: { help?: string; address?: true; boundTo?: string[] } = {}) =>
  z
    .string()
    .default('')
    .register(accountField, { label, required: true, ...more });
const Prices = z.record(z.string(), z.number().int());
const rate = { perSecond: 100, burst: 100 };

/** A marketplace that is not Amazon: a price a sku behind one key. All that the program has to know of it stands here. */
export const tinyMarket = defineConnector({
  id: 'tiny',
  label: 'Kleinmarkt',
  marketplaces: [{ id: 'KLEIN', name: 'Kleinmarkt', currency: 'CHF' }],
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
  readMessage: () => undefined,
  connect: ({ egress, clock }, { marketplace, settings: { address }, secrets: { key } }) => {
    const ask = async (method: 'GET' | 'POST', body?: string) => {
      const headers = { authorization: key };
      const answer = await egress.exchange(address, { method, headers, body, timeoutMs: 5000, maxBytes: 100_000 });
      if (answer.status === 401) throw new MarketplaceError('auth', 'Der Schlüssel gilt nicht.');
      return Prices.parse(JSON.parse(answer.text));
    };
    return {
      capabilities: () => ({
        rates: { updatePrices: rate, readPrices: rate, offers: rate },
        batch: { updatePrices: 10, readPrices: 10, offers: 1 },
        competitorOffers: true,
        partialShip: false,
        partialCancel: false,
        cancelReasons: [],
        returnAction: 'none',
        returnTracking: 'ignored',
        pieces: 'perLine',
      }),
      testConnection: async () => void (await ask('GET')),
      updatePrices: async (updates) => {
        await ask('POST', JSON.stringify(Object.fromEntries(updates.map(({ sku, cents }) => [sku, cents]))));
        return updates.map(({ sku, idemKey }) => ({ sku, state: 'ACCEPTED', reference: idemKey, issues: [] }));
      },
      readPrices: async (skus) => {
        const prices = await ask('GET');
        return skus.map((sku) => ({ sku, cents: prices[sku] ?? null }));
      },
      // Nobody else sells here.
      offers: async (articles) => {
        const eventAt = clock.now();
        return articles.map(({ sku, productId, condition }) => {
          const message = `${sku}-${eventAt.getTime()}`;
          return { marketplace, productId, condition, eventAt, message, offers: [] };
        });
      },
    };
  },
});

/** The marketplace itself, which opens for this key. */
export async function startTinyMarket(key: string) {
  const prices = new Map<string, number>();
  const server = createServer((request, response) => {
    void (async () => {
      if (request.headers.authorization !== key) return response.writeHead(401).end();
      const parts: Buffer[] = [];
      for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
      const text = Buffer.concat(parts).toString();
      const given = text === '' ? {} : Prices.parse(JSON.parse(text));
      for (const [sku, cents] of Object.entries(given)) prices.set(sku, cents);
      return response.end(JSON.stringify(Object.fromEntries(prices)));
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`,
    prices,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
