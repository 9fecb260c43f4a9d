import type { OrderRow } from '#shared/orders/schema.ts';
import { orderKey } from './order-words.ts';

/** Chosen orders by key; those on other pages as they were when they were last listed. */
export type ChosenOrders = ReadonlyMap<string, OrderRow>;

/** Updates chosen orders from the newest list. */
export function withNewest(chosen: ChosenOrders, rows: readonly OrderRow[]): ChosenOrders {
  const newer = rows.filter((row) => chosen.has(orderKey(row)));
  return newer.length === 0 ? chosen : new Map([...chosen, ...newer.map((row) => [orderKey(row), row] as const)]);
}

/** Marks shipped orders as having no open pieces, including those no longer in the list. */
export function withShipped(chosen: ChosenOrders, shipped: ReadonlySet<string>): ChosenOrders {
  return new Map([...chosen].map(([key, order]) => [key, shipped.has(key) ? { ...order, open_pieces: 0 } : order]));
}
