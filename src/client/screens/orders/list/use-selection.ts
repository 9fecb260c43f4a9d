import { useState } from 'react';
import type { OrderRow } from '#shared/orders/schema.ts';
import { orderKey } from './order-words.ts';

/** Orders chosen for something that is done to many; they stay chosen on other pages of the list. */
export type Selection = {
  readonly orders: readonly OrderRow[];
  has: (order: OrderRow) => boolean;
  set: (orders: readonly OrderRow[], chosen: boolean) => void;
  clear: () => void;
};

export function useSelection(): Selection {
  const [chosen, setChosen] = useState<ReadonlyMap<string, OrderRow>>(new Map());
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
    clear: () => setChosen(new Map()),
  };
}
