import { useState } from 'react';
import type { OrderRow } from '#shared/orders/schema.ts';
import { type ChosenOrders, withNewest, withShipped } from './chosen-orders.ts';
import { orderKey } from './order-words.ts';

/** Orders chosen for a bulk action; they stay chosen on other pages of the list. */
export type Selection = {
  readonly orders: readonly OrderRow[];
  has: (order: OrderRow) => boolean;
  set: (orders: readonly OrderRow[], chosen: boolean) => void;
  /** By key: all their open pieces were sent. */
  markShipped: (keys: ReadonlySet<string>) => void;
  clear: () => void;
};

/** `rows`: the newest list. */
export function useSelection(rows: readonly OrderRow[] | undefined): Selection {
  const [chosen, setChosen] = useState<ChosenOrders>(new Map());
  const [listed, setListed] = useState(rows);
  if (rows !== listed) {
    setListed(rows);
    setChosen((now) => withNewest(now, rows ?? []));
  }
  return {
    orders: [...chosen.values()],
    has: (order) => chosen.has(orderKey(order)),
    set: (orders, add) =>
      setChosen((now) => {
        const next = new Map(now);
        for (const order of orders) {
          if (add) next.set(orderKey(order), order);
          else next.delete(orderKey(order));
        }
        return next;
      }),
    markShipped: (keys) => setChosen((now) => withShipped(now, keys)),
    clear: () => setChosen(new Map()),
  };
}
