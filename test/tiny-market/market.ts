import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { z } from 'zod';
import type { Clock } from '#platform/clock.ts';
import type { Fault } from '#marketplaces/contract/market.ts';
import { Cancellation, Quantities, Shipment, TinyOrders } from './orders.ts';

type Article = { sku: string; article: string; cents: number; minCents: number; maxCents: number };
type Options = { key: string; seller: string; clock: Clock; articles?: readonly Article[]; liveAfterMs?: number };
type Answer = { status: number; body?: unknown; headers?: Record<string, string> };

/** Limits of each kind of call: calls per second, and burst. */
export const RATE = { perSecond: 10, burst: 20 };
/** Milliseconds after which a message that was not acknowledged is delivered again. */
const HIDDEN_MS = 30_000;

export const PriceChanges = z.array(z.object({ sku: z.string(), cents: z.number().int(), id: z.string() }));
const Skus = z.array(z.string());

/** A marketplace that is not Amazon: prices, offers and messages behind one key. A first price creates an unknown article. */
export class TinyMarket {
  /** Prices that buyers see; `pending` holds those that are not live yet. */
  readonly prices = new Map<string, number>();
  private readonly pending = new Map<string, { cents: number; at: number }>();
  private readonly articles: Map<string, Article> | undefined;
  private readonly messages: { receipt: string; hiddenUntil: number; body: unknown }[] = [];
  private readonly buckets = new Map<string, { left: number; at: number }>();
  private readonly options: Options;
  private told = 0;
  private subscribed = false;
  readonly orders: TinyOrders;
  fault: Fault | undefined;
  /** The only operation that the fault affects; undefined: all of them. */
  faultAt: string | undefined;
  taken = 0;
  /** Number of calls that contained a buyer's data. */
  personsSent = 0;

  constructor(options: Options) {
    this.options = options;
    this.orders = new TinyOrders(() => this.now());
    this.articles =
      options.articles === undefined ? undefined : new Map(options.articles.map((one) => [one.sku, one] as const));
    for (const { sku, cents } of options.articles ?? []) this.prices.set(sku, cents);
  }

  private now(): number {
    return this.options.clock.now().getTime();
  }

  /** Makes prices live that were accepted long enough ago. */
  settle(): void {
    for (const [sku, { cents, at }] of this.pending) {
      if (at > this.now()) continue;
      this.prices.set(sku, cents);
      this.pending.delete(sku);
    }
  }

  /** Makes a competitor offer these articles for a cent less than we do. */
  move(skus: readonly string[]): void {
    if (!this.subscribed) return;
    for (const sku of skus) {
      const body = { number: ++this.told, at: new Date(this.now()).toISOString(), offers: this.offersOf(sku) };
      this.messages.push({ receipt: `r${this.told}`, hiddenUntil: 0, body });
    }
  }

  answer(key: string, method: string, path: string, body: unknown): Answer | 'cut' {
    if (JSON.stringify(body ?? '').includes('Kanari')) this.personsSent++;
    if (key !== this.options.key) return { status: 401 };
    const wait = this.waitFor(`${method} ${path}`);
    const fault = this.faultAt === undefined || path === this.faultAt ? this.fault : undefined;
    if (wait > 0 || fault === 'throttle')
      return { status: 429, headers: { 'retry-after': String(Math.max(1, Math.ceil(wait))) } };
    if (fault === 'outOfOrder') return { status: 500, body: 'Stromausfall' };
    if (fault === 'overloaded') return { status: 503 };
    if (fault === 'cutBefore') return 'cut';
    const answer = this.operation(`${method} ${path}`, body);
    if (fault === 'cutAfter') return 'cut';
    return fault === 'page' ? { status: 200, body: '<html>Wartung</html>' } : answer;
  }

  /** Returns the seconds until another call of this kind is allowed; 0: it is allowed now. */
  private waitFor(kind: string): number {
    const bucket = this.buckets.get(kind) ?? { left: RATE.burst, at: this.now() };
    const left = Math.min(RATE.burst, bucket.left + ((this.now() - bucket.at) / 1000) * RATE.perSecond);
    this.buckets.set(kind, { left: left < 1 ? left : left - 1, at: this.now() });
    return left < 1 ? (1 - left) / RATE.perSecond : 0;
  }

  private operation(kind: string, body: unknown): Answer {
    if (kind === 'GET /account') return { status: 200, body: {} };
    if (kind === 'POST /prices') return { status: 200, body: PriceChanges.parse(body).map((one) => this.change(one)) };
    if (kind === 'POST /shown')
      return { status: 200, body: Skus.parse(body).map((sku) => this.prices.get(sku) ?? null) };
    if (kind === 'POST /offers') return { status: 200, body: Skus.parse(body).map((sku) => this.offersOf(sku)) };
    if (kind === 'POST /subscription') {
      this.subscribed = true;
      return { status: 200, body: {} };
    }
    if (kind === 'POST /messages/done') {
      const done = Skus.parse(body);
      for (const receipt of done) {
        const index = this.messages.findIndex((message) => message.receipt === receipt);
        if (index >= 0) this.messages.splice(index, 1);
      }
      return { status: 200, body: {} };
    }
    if (kind === 'GET /messages') return { status: 200, body: this.handedOut() };
    return this.orderOperation(kind, body);
  }

  private orderOperation(kind: string, body: unknown): Answer {
    const { orders } = this;
    const result = (refused: string | undefined) => ({ status: 200, body: { refused } });
    if (kind === 'POST /orders/changed')
      return { status: 200, body: orders.changedSince(z.object({ since: z.number() }).parse(body).since) };
    if (kind === 'POST /orders/find')
      return { status: 200, body: { order: orders.find(z.object({ order: z.string() }).parse(body).order) } };
    if (kind === 'POST /orders/ship') return result(orders.ship(Shipment.parse(body)));
    if (kind === 'POST /orders/cancel') return result(orders.cancel(Cancellation.parse(body)));
    if (kind === 'POST /stock/shown')
      return { status: 200, body: Skus.parse(body).map((sku) => orders.pieces.get(sku) ?? null) };
    if (kind === 'POST /stock') {
      const answers = Quantities.parse(body).map(({ sku, pieces }) => {
        if (!this.prices.has(sku)) return { sku, refused: 'unknown' };
        orders.pieces.set(sku, pieces);
        return { sku };
      });
      return { status: 200, body: answers };
    }
    return { status: 404 };
  }

  private change({ sku, cents, id }: { sku: string; cents: number; id: string }) {
    const article = this.articles?.get(sku);
    if (this.articles !== undefined && article === undefined) return { sku, refused: 'unknown' };
    if (article !== undefined && (cents < article.minCents || cents > article.maxCents))
      return { sku, refused: 'range' };
    this.taken++;
    this.pending.set(sku, { cents, at: this.now() + (this.options.liveAfterMs ?? 0) });
    this.settle();
    return { sku, receipt: id };
  }

  private offersOf(sku: string) {
    const ours = this.prices.get(sku);
    if (ours === undefined) return null;
    return {
      sku,
      article: this.articles?.get(sku)?.article ?? sku,
      offers: [
        { seller: this.options.seller, cents: ours, shipping: 0, fromStore: false },
        { seller: 'NACHBAR', cents: ours - 1, shipping: 200, fromStore: true },
      ],
    };
  }

  private handedOut() {
    const open = this.messages.filter(({ hiddenUntil }) => hiddenUntil <= this.now()).slice(0, 10);
    for (const message of open) message.hiddenUntil = this.now() + HIDDEN_MS;
    return open.map(({ receipt, body }) => ({ receipt, body }));
  }
}

/** Serves the marketplace on this machine. */
export async function serveTinyMarket(market: TinyMarket) {
  const server = createServer((request, response) => {
    void (async () => {
      const answer = market.answer(
        request.headers.authorization ?? '',
        request.method ?? '',
        request.url ?? '',
        await bodyOf(request),
      );
      if (answer === 'cut') return response.destroy();
      const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {});
      return response.writeHead(answer.status, answer.headers).end(text);
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  const text = Buffer.concat(parts).toString();
  return text === '' ? undefined : JSON.parse(text);
}
