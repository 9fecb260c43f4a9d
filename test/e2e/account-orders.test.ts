import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChannelOrder } from '#marketplaces/orders-port.ts';
import { readTracking } from '#orders/actions/tracking-table.ts';
import { pollOrders } from '#orders/intake/poll-orders.ts';
import { makeOrderWorld, type OrderWorld } from '../stages/order-world.ts';

describe('the orders of an account', () => {
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

  it('OIM-02 a table of tracking numbers that is read twice is told while the first is on its way', async () => {
    const { order, line } = await world.bought();
    const text = `${order};JJD1;DHL;${line};1`;
    const check = async () => {
      const { rows } = await readTracking(world.deps, world.company, { text, carrier: '' });
      return rows.map(({ state, message }) => [state, message]);
    };
    expect(await check()).toEqual([['ready', 'Ein Stück wird als versandt gemeldet.']]);
    const lines = [{ line, quantity: 1 }];
    await world.ask(order, { kind: 'ship', lines, carrier: 'DHL', tracking: 'jjd1', returnTracking: '' });
    expect(await check()).toEqual([['warning', 'Diese Sendungsnummer steht schon bei dieser Bestellung.']]);
  });
});
