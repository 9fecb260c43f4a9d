import { describe, expect, it } from 'vitest';
import type { OrderRow } from '#shared/orders/schema.ts';
import { type ChosenOrders, withNewest, withShipped } from './chosen-orders.ts';
import { orderKey } from './order-words.ts';

const order = (orderid: string, open: number) => ({ orderid, channel: 'laden', open_pieces: open }) as OrderRow;
const chosenOf = (...orders: OrderRow[]): ChosenOrders => new Map(orders.map((one) => [orderKey(one), one]));
const open = (chosen: ChosenOrders) => [...chosen.values()].map((one) => [one.orderid, one.open_pieces]);

describe('chosen orders', () => {
  it('are updated from the newest list; those of other pages stay as they were', () => {
    const chosen = chosenOf(order('B-1', 3), order('B-2', 1));
    expect(open(withNewest(chosen, [order('B-1', 1), order('B-9', 4)]))).toEqual([
      ['B-1', 1],
      ['B-2', 1],
    ]);
  });

  it('have no open pieces after they were shipped, until the list reports some again', () => {
    const sent = withShipped(chosenOf(order('B-1', 3), order('B-2', 1)), new Set([orderKey(order('B-1', 3))]));
    expect(open(sent)).toEqual([
      ['B-1', 0],
      ['B-2', 1],
    ]);
    expect(open(withNewest(sent, [order('B-1', 2)]))[0]).toEqual(['B-1', 2]);
  });
});
