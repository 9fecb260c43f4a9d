import { z } from 'zod';

type Line = { id: string; sku: string; ordered: number; shipped: number; cancelled: number; cents: number };
export type TinyOrder = {
  number: string;
  bought: number;
  changed: number;
  paidFrom: number;
  ownDelivery: boolean;
  lines: Line[];
  person: { name: string; street: string; town: string };
};

export const Shipment = z.object({
  order: z.string(),
  carrier: z.string(),
  number: z.string(),
  pieces: z.array(z.object({ line: z.string(), count: z.number().int().positive() })),
});
export const Cancellation = z.object({ order: z.string(), line: z.string() });
export const Quantities = z.array(z.object({ sku: z.string(), pieces: z.number().int().min(0) }));

/**
 * Orders of the tiny market: a line is cancelled as a whole or not at all, parcels are not shown, and repeating a request does
 * harm.
 */
export class TinyOrders {
  readonly orders = new Map<string, TinyOrder>();
  readonly pieces = new Map<string, number>();
  /** Pieces that were requested to be shipped or cancelled although none were left. */
  doubles = 0;
  private readonly now: () => number;

  constructor(now: () => number) {
    this.now = now;
  }

  buy(
    lines: readonly { sku: string; quantity: number; id?: string }[],
    { pending = false, byMarketplace = false }: { pending?: boolean; byMarketplace?: boolean },
  ): TinyOrder {
    const number = `K${this.orders.size + 1}`;
    const order: TinyOrder = {
      number,
      bought: this.now(),
      changed: this.now(),
      paidFrom: this.now() + (pending ? 60_000 : 0),
      ownDelivery: byMarketplace,
      lines: lines.map(({ sku, quantity, id }, n) => ({
        id: id ?? `${number}-${n}`,
        sku,
        ordered: quantity,
        shipped: 0,
        cancelled: 0,
        cents: 1500,
      })),
      person: { name: 'Kanari-Hilde Probe', street: 'Kanari-Steig 3', town: 'Kanari-Tal' },
    };
    for (const { sku, quantity } of lines) {
      const left = this.pieces.get(sku);
      if (left !== undefined) this.pieces.set(sku, left - quantity);
    }
    this.orders.set(number, order);
    return order;
  }

  pay(number: string): void {
    const order = this.orders.get(number);
    if (order !== undefined) order.changed = order.paidFrom;
  }

  changedSince(since: number) {
    return [...this.orders.values()].filter(({ changed }) => changed >= since).map((order) => this.shown(order));
  }

  /** Returns one order as the market shows it: an unpaid one has neither price nor person. */
  find(number: string) {
    const order = this.orders.get(number);
    return order === undefined ? null : this.shown(order);
  }

  private shown(order: TinyOrder) {
    const isPaid = order.paidFrom <= this.now();
    return {
      ...order,
      isPaid,
      lines: order.lines.map((line) => ({ ...line, cents: isPaid ? line.cents : null })),
      person: isPaid ? order.person : null,
    };
  }

  /** Ships pieces; returns the reason if it was refused, undefined if it was done. */
  ship({ order: number, pieces }: z.infer<typeof Shipment>): string | undefined {
    const order = this.orders.get(number);
    if (order === undefined) return 'order';
    if (order.ownDelivery) return 'delivery';
    if (order.paidFrom > this.now()) return 'payment';
    for (const { line, count } of pieces) {
      const found = order.lines.find(({ id }) => id === line);
      if (found === undefined) return 'line';
      const excess = count - (found.ordered - found.shipped - found.cancelled);
      if (excess > 0) {
        this.doubles += Math.min(excess, found.shipped);
        return 'pieces';
      }
    }
    for (const { line, count } of pieces)
      for (const found of order.lines) if (found.id === line) found.shipped += count;
    order.changed = this.now();
    return undefined;
  }

  cancel({ order: number, line }: z.infer<typeof Cancellation>): string | undefined {
    const order = this.orders.get(number);
    const found = order?.lines.find(({ id }) => id === line);
    if (order === undefined || found === undefined) return 'line';
    if (found.shipped > 0) return 'shipped';
    this.doubles += found.cancelled;
    found.cancelled = found.ordered;
    order.changed = this.now();
    return undefined;
  }
}
