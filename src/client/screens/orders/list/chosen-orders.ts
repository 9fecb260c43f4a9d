import type { OrderRow } from '#shared/orders/schema.ts';
import { orderKey } from './order-words.ts';

/** Chosen orders by their key, as far as they are known: of other pages as they were when they were last listed. */
export type ChosenOrders = ReadonlyMap<string, OrderRow>;

/** Takes over what the newest list says of chosen orders. */
export function withNewest(chosen: ChosenOrders, rows: readonly OrderRow[]): ChosenOrders {
  const newer = rows.filter((row) => chosen.has(orderKey(row)));
  return newer.length === 0 ? chosen : new Map([...chosen, ...newer.map((row) => [orderKey(row), row] as const)]);
}

/** Nothing is open any more of orders that were sent; one that left the list says so too. */
export function withShipped(chosen: ChosenOrders, shipped: ReadonlySet<string>): ChosenOrders {
  return new Map([...chosen].map(([key, order]) => [key, shipped.has(key) ? { ...order, open_pieces: 0 } : order]));
}
