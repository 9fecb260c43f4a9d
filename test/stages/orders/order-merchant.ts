import type { Chance } from '#marketplaces/sandbox/faults.ts';
import { between, happens } from '#marketplaces/sandbox/faults.ts';
import { api } from '#shared/http/api.ts';
import { pathOf, type AnswerOf } from '#shared/http/call.ts';
import type { OrderFilter, OrderRow } from '#shared/orders/schema.ts';
import type { Client } from '../client.ts';

type Request = { path: string; key: string; body: unknown; failure?: string };
const PAGE = 100;
/** Whether the merchant works an order on the marketplace's own page, so that he never requests one thing in two places. */
export const worksThere = (orderid: string): boolean => orderid.endsWith('50');

/** A merchant who works orders over HTTP: ships, cancels, takes back. Unanswered requests are repeated with the same key. */
export class Merchant {
  /** Number of answers by kind of request: accepted, refused. */
  readonly answers: Record<string, number> = {};
  private readonly client: Client;
  private readonly channel: string;
  private readonly chance: Chance;
  private unanswered: Request[] = [];
  private serial = 0;

  constructor(client: Client, channel: string, chance: Chance) {
    this.client = client;
    this.channel = channel;
    this.chance = chance;
  }

  /** Requests without an answer, with their last failure. */
  get waiting(): string[] {
    return this.unanswered.map(({ path, failure = '' }) => `${path}: ${failure}`);
  }

  /** Works the lists once. Never throws: the program may be down. */
  async turn(): Promise<void> {
    await this.repeat();
    for (const work of [() => this.decide(), () => this.ship(), () => this.takeBack()]) await work().catch(() => {});
  }

  /** Finishes at the end: repeats what was not answered, and decides every wish to cancel. */
  async end(): Promise<void> {
    await this.repeat();
    await this.decide().catch(() => {});
  }

  /** Repeats what was not answered. */
  async repeat(): Promise<void> {
    const requests = this.unanswered;
    this.unanswered = [];
    for (const request of requests) await this.send(request);
  }

  private async decide(): Promise<void> {
    for (const { orderid, lines } of await this.page('stornowunsch')) {
      const line = lines.find(({ cancel }) => cancel.possible);
      if (worksThere(orderid)) continue;
      if (line !== undefined && happens(this.chance, 0.5))
        await this.cancel(orderid, line.productid, line.open, 'BuyerCanceled');
      else await this.ask(`${pathOf(api.declineCancellation, { orderid })}?channel=${this.channel}`, undefined);
    }
  }

  private async ship(): Promise<void> {
    const parcels: object[] = [];
    for (const { orderid, lines } of await this.page('offen')) {
      const line = lines.find(({ sent }) => sent.possible);
      if (line === undefined || worksThere(orderid)) continue;
      const what = this.chance.next();
      const parcel = { carrier: 'DHL', tracking: `JJD${this.serial}-${orderid}` };
      if (what < 0.05) continue;
      if (what < 0.1) await this.cancel(orderid, line.productid, line.open, 'NoInventory');
      else if (what < 0.2) {
        const path = pathOf(api.fulfillItem, { orderid, productid: line.productid });
        await this.ask(`${path}?channel=${this.channel}`, { ...parcel, quantity: 1 });
      } else parcels.push({ orderid, channel: this.channel, ...parcel });
    }
    if (parcels.length > 0) await this.ask(pathOf(api.shipOrders), { parcels });
  }

  private async takeBack(): Promise<void> {
    for (const { orderid, lines } of await this.page('versandt')) {
      const line = lines.find((one) => one.return.possible);
      if (line === undefined || !happens(this.chance, 0.01)) continue;
      const { productid } = line;
      const path = pathOf(api.returnItem, { orderid, productid, quantity: 1, reason: 'no Reason' });
      await this.ask(`${path}?channel=${this.channel}`, {});
    }
  }

  private cancel(orderid: string, productid: string, quantity: number, reason: string): Promise<void> {
    const path = pathOf(api.cancelItem, { orderid, productid, quantity, reason });
    return this.ask(`${path}?channel=${this.channel}`, {});
  }

  /** Returns a random page of the list. */
  private async page(filter: OrderFilter): Promise<OrderRow[]> {
    const at = async (offset: number): Promise<AnswerOf<typeof api.orders>> => {
      const answer = await this.client.raw(`${api.orders.path}?filter=${filter}&limit=${PAGE}&offset=${offset}`);
      return api.orders.response.parse(await answer.json());
    };
    const first = await at(0);
    return first.total <= PAGE ? first.rows : (await at(between(this.chance, 0, first.total - PAGE))).rows;
  }

  private ask(path: string, body: unknown): Promise<void> {
    return this.send({ path, body, key: `haendler-${this.serial++}` });
  }

  private async send(request: Request): Promise<void> {
    const { path, key, body } = request;
    try {
      const answer = await this.client.raw(path, {
        method: 'POST',
        headers: { 'idempotency-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (answer.status >= 500) throw new Error(`${answer.status} ${text}`);
      const kind = path.match(/fulfill|ship|cancel|return|decline/)?.[0] ?? path;
      const name = `${kind} ${answer.status}`;
      this.answers[name] = (this.answers[name] ?? 0) + 1;
    } catch (error) {
      this.unanswered.push({ ...request, failure: String(error) });
    }
  }
}
