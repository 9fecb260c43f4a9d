import { createHash } from 'node:crypto';
import type { Counters } from '#marketplaces/sandbox/counters.ts';
import { between, happens, type Chance, type Faults } from '#marketplaces/sandbox/faults.ts';
import type { World } from '#marketplaces/sandbox/world.ts';
import { openPieces, shippedPieces, stateOf } from './order.ts';
import type { SandboxLine, SandboxOrder, SandboxParcel } from './order.ts';
import { inventPerson } from './persons.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A change of an order, as a message names it. */
export type OrderChange = 'placed' | 'paid' | 'shipped' | 'cancelled' | 'asked' | 'delivered' | 'touched';

type BookDeps = {
  world: World;
  counters: Counters;
  faults: () => Faults;
  now: () => number;
  /** Called with every change, at its time. */
  onChange: (order: SandboxOrder, change: OrderChange, at: number) => void;
};

type Due = { at: number; order: SandboxOrder; what: 'paid' | 'cancels' | 'asks' | 'delivered' | 'returns' };

/** A purchase; absent values get defaults. */
export type Purchase = {
  lines: readonly { sku: string; quantity: number; id?: string }[];
  id?: string;
  at?: number;
  /** How long the order stays pending. */
  pendingMinutes?: number;
  byAmazon?: boolean;
  programs?: readonly string[];
  /** When the buyer cancels, unless it is shipped before. */
  cancelAt?: number | null;
  shipWithinHours?: number;
};

/** An order that an earlier run of the sandbox gave out, as far as its seller knows it. */
export type KnownOrder = Pick<SandboxOrder, 'id' | 'at' | 'changedAt' | 'shipBy' | 'deliverBy'> & {
  lines: readonly Omit<SandboxLine, 'asin'>[];
  parcels: readonly Omit<SandboxParcel, 'confirmedAt' | 'visibleFrom'>[];
};

/** All orders of the sandbox, and what buyers and carriers do with them as time passes. */
export class OrderBook {
  readonly orders = new Map<string, SandboxOrder>();
  private readonly deps: BookDeps;
  private readonly start: string;
  private agenda: Due[] = [];
  private serial = 0;

  constructor(deps: BookDeps) {
    this.deps = deps;
    this.start = String(Math.floor(deps.now() / 1000)).slice(-7);
  }

  /** Places an order if every article has enough for sale. Returns the order; undefined: sold out. */
  buy(purchase: Purchase): SandboxOrder | undefined {
    const { counters, faults, now, world, onChange } = this.deps;
    const at = purchase.at ?? now();
    const number = String(++this.serial).padStart(7, '0');
    const id = purchase.id ?? `305-${this.start}-${number}`;
    const chance = chanceOf(id);
    const byAmazon = purchase.byAmazon ?? happens(chance, faults().byAmazon);
    if (!byAmazon && !world.sell(purchase.lines)) return undefined;
    const pendingMinutes = purchase.pendingMinutes ?? (happens(chance, faults().pending) ? between(chance, 5, 40) : 0);
    const order: SandboxOrder = {
      id,
      at,
      changedAt: at,
      paidAt: at + pendingMinutes * MINUTE,
      byAmazon,
      programs: purchase.programs ?? (!byAmazon && happens(chance, faults().shipPlus) ? ['FBM_SHIP_PLUS'] : []),
      shipBy: at + (purchase.shipWithinHours ?? 48) * HOUR,
      deliverBy: at + 5 * DAY,
      lines: purchase.lines.map((line, n) => this.line(line, `${this.start}${number}${n}`, chance)),
      parcels: [],
      person: inventPerson(chance),
      adjustments: new Set(),
      chance,
    };
    this.orders.set(id, order);
    counters.orders++;
    onChange(order, 'placed', at);
    if (order.paidAt > at) this.expect(order, order.paidAt, 'paid');
    const cancelAt = purchase.cancelAt ?? null;
    if (cancelAt !== null) this.expect(order, cancelAt, 'cancels');
    if (happens(chance, faults().asksToCancel))
      this.expect(order, order.paidAt + between(chance, 5, 600) * MINUTE, 'asks');
    return order;
  }

  /** Takes an order of an earlier run up again, without telling anybody. */
  recall({ lines, parcels, ...order }: KnownOrder): void {
    const chance = chanceOf(order.id);
    const recalled: SandboxOrder = {
      ...order,
      paidAt: order.at,
      byAmazon: false,
      programs: [],
      // As in `buy`: the lines draw before the person, so that it is the same one again.
      lines: lines.map((line) => ({ ...this.line({ ...line, quantity: line.ordered }, line.id, chance), ...line })),
      parcels: parcels.map((parcel) => ({
        ...parcel,
        confirmedAt: parcel.shippedAt,
        visibleFrom: parcel.shippedAt,
      })),
      person: inventPerson(chance),
      adjustments: new Set(),
      chance,
    };
    this.orders.set(order.id, recalled);
    for (const { delivered, shippedAt } of recalled.parcels)
      if (!delivered) this.expect(recalled, shippedAt + between(chance, 1, 4) * DAY, 'delivered');
  }

  private line({ sku, quantity, id }: Purchase['lines'][number], usual: string, chance: Chance): SandboxLine {
    const article = this.deps.world.articles.get(sku);
    return {
      id: id ?? usual,
      sku,
      asin: article?.asin ?? '',
      cents: article?.live ?? article?.cents ?? 1000,
      shippingCents: happens(chance, 0.3) ? 399 : 0,
      ordered: quantity,
      cancelled: 0,
      returned: 0,
      refundedCents: 0,
      request: null,
      cancelledBy: null,
    };
  }

  private expect(order: SandboxOrder, at: number, what: Due['what']): void {
    this.agenda.push({ at, order, what });
  }

  /** Runs all events due by now, in their order. */
  settle(): void {
    const now = this.deps.now();
    for (;;) {
      const due = this.agenda.filter(({ at }) => at <= now).toSorted((one, other) => one.at - other.at);
      if (due.length === 0) return;
      this.agenda = this.agenda.filter(({ at }) => at > now);
      for (const one of due) this.happen(one);
    }
  }

  private happen({ order, what, at }: Due): void {
    const [line] = order.lines;
    if (what === 'paid' && stateOf(order, at) !== 'CANCELLED') this.changed(order, 'paid', at);
    if (what === 'cancels') this.cancelAsBuyer(order.id, at);
    if (what === 'asks' && line !== undefined) this.askToCancel(order.id, line.id, 'NO_LONGER_NEEDED', at);
    if (what === 'delivered') this.deliver(order.id, at);
    if (what === 'returns' && line !== undefined) this.giveBack(order.id, line.id, 1);
  }

  private changed(order: SandboxOrder, change: OrderChange, at: number): void {
    order.changedAt = Math.max(order.changedAt, at);
    this.deps.onChange(order, change, at);
  }

  /** Records that a parcel is on its way: it arrives after some days, and may be returned. */
  shipped(order: SandboxOrder): void {
    const { faults, now } = this.deps;
    this.changed(order, 'shipped', now());
    const arrives = now() + between(order.chance, 1, 4) * DAY;
    this.expect(order, arrives, 'delivered');
    if (happens(order.chance, faults().givenBack)) this.expect(order, arrives + 3 * DAY, 'returns');
  }

  /** Records a change of the order. */
  touched(order: SandboxOrder): void {
    this.changed(order, 'touched', this.deps.now());
  }

  /** Cancels pieces of a line on behalf of the merchant. */
  cancelAsMerchant(order: SandboxOrder, line: SandboxLine, quantity: number): void {
    line.cancelled += quantity;
    line.cancelledBy = 'MERCHANT';
    this.deps.world.free(line.sku, quantity, false);
    this.changed(order, 'cancelled', this.deps.now());
  }

  /** Cancels all pieces that are not shipped, on behalf of the buyer. */
  cancelAsBuyer(id: string, at = this.deps.now()): void {
    const order = this.orders.get(id);
    if (order === undefined) return;
    let pieces = 0;
    for (const line of order.lines) {
      const open = openPieces(order, line);
      if (open === 0) continue;
      line.cancelled += open;
      line.cancelledBy = 'BUYER';
      pieces += open;
      if (!order.byAmazon) this.deps.world.free(line.sku, open, true);
    }
    if (pieces === 0) return;
    this.deps.counters.cancelled++;
    this.changed(order, 'cancelled', at);
  }

  /** Records the buyer's wish to cancel a line; the merchant may ship it anyway. */
  askToCancel(id: string, lineId: string, reason: string, at = this.deps.now()): void {
    const order = this.orders.get(id);
    const line = order?.lines.find((one) => one.id === lineId);
    if (order === undefined || line === undefined || openPieces(order, line) === 0) return;
    line.request = reason;
    this.changed(order, 'asked', at);
  }

  /** Delivers all parcels of an order. */
  deliver(id: string, at = this.deps.now()): void {
    const order = this.orders.get(id);
    if (order === undefined || order.parcels.every(({ delivered }) => delivered)) return;
    for (const parcel of order.parcels) parcel.delivered = true;
    this.changed(order, 'delivered', at);
  }

  /** Returns pieces on behalf of the buyer. Amazon shows nothing of that in the order. */
  giveBack(id: string, lineId: string, quantity: number): void {
    const order = this.orders.get(id);
    const line = order?.lines.find((one) => one.id === lineId);
    if (order === undefined || line === undefined) return;
    line.returned = Math.min(shippedPieces(order, lineId), line.returned + quantity);
  }

  /** Ships on the marketplace's own page, with another number of a parcel. */
  shipOnSite(id: string, reference: string, tracking: string, items: SandboxOrder['parcels'][number]['items']): void {
    const order = this.orders.get(id);
    const at = this.deps.now();
    if (order === undefined) return;
    const times = { shippedAt: at, confirmedAt: at, visibleFrom: at };
    order.parcels.push({ reference, carrier: 'DHL', tracking, ...times, delivered: false, items });
    this.shipped(order);
  }
}

/** Returns random numbers derived from a text, so that one order's fate does not depend on the others. */
export function chanceOf(text: string): Chance {
  let n = 0;
  return { next: () => createHash('sha256').update(`${text}/${n++}`).digest().readUInt32BE() / 2 ** 32 };
}
