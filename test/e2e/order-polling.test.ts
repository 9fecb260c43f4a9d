import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChannelOrder } from '#marketplaces/orders-port.ts';
import { pollOrders } from '#orders/intake/poll-orders.ts';
import { makeOrderWorld, type OrderWorld } from '../stages/order-world.ts';

describe('reading the orders of an account', () => {
  let world: OrderWorld;
  beforeAll(async () => {
    world = await makeOrderWorld();
  });
  afterAll(() => world.close());

  it('OIM-01 an order that no table can hold costs only itself: the others of its page come, and people are told', async () => {
    const bought = async () => {
      const found = await world.port.order(world.stage.buy([{ sku: 'S1', quantity: 1 }]).order);
      if (found === undefined) throw new Error('no order');
      return found;
    };
    const [first, second] = [await bought(), await bought()];
    const impossible: ChannelOrder = {
      ...first,
      order: '028-UNMÖGLICH',
      lines: first.lines.map((line) => ({ ...line, ordered: 5_000_000_000 })),
    };
    const page = { orders: [first, impossible, second], asOf: world.clock.now() };
    const port = { ...world.port, changes: () => Promise.resolve(page) };
    expect(await pollOrders(world.deps, world.account, port)).toBe(1);
    const { orders, notices, poll } = await world.inside(async (trx) => ({
      orders: await trx.selectFrom('orders').select('order_id').execute(),
      notices: await trx.selectFrom('notifications').select(['title', 'text']).execute(),
      poll: await trx.selectFrom('order_polls').select(['cursor', 'failed_since']).executeTakeFirst(),
    }));
    expect(orders.map((order) => order.order_id).toSorted()).toEqual([first.order, second.order].toSorted());
    expect(poll).toEqual({ cursor: null, failed_since: null });
    expect(notices.map(({ title }) => title)).toEqual(['Nicht lesbar: Bestellungen von „Sandbox“']);
    expect(notices[0]?.text).toContain('028-UNMÖGLICH');
  });
});
