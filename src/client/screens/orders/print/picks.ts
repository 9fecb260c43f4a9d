import type { OrderRow } from '#shared/orders/schema.ts';

/** What to take from a shelf: all shippable pieces of an article, and for which orders. */
export type Pick = { sku: string; title: string; pieces: number; orders: { orderid: string; pieces: number }[] };

/** Returns the articles sorted by number, as they lie in a warehouse. Orders that may not be shipped yet are left out. */
export function picksOf(orders: readonly OrderRow[]): Pick[] {
  const picks = new Map<string, Pick>();
  for (const { orderid, lines } of orders)
    for (const { sku, title, open, sent } of lines) {
      if (open === 0 || !sent.possible) continue;
      const pick = picks.get(sku) ?? { sku, title, pieces: 0, orders: [] };
      pick.pieces += open;
      pick.orders.push({ orderid, pieces: open });
      picks.set(sku, pick);
    }
  return [...picks.values()].sort((one, other) => one.sku.localeCompare(other.sku, 'de', { numeric: true }));
}

/** Returns the orders of which something may be shipped. */
export const pickedOrders = (orders: readonly OrderRow[]): OrderRow[] =>
  orders.filter(({ lines }) => lines.some(({ open, sent }) => open > 0 && sent.possible));
