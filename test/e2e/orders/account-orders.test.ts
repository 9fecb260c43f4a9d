import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChannelOrder } from '#marketplaces/orders-port.ts';
import { takeAccountOrders } from '#orders/intake/account-orders.ts';
import { readTracking } from '#orders/actions/tracking-table.ts';
import { pollOrders } from '#orders/intake/poll-orders.ts';
import { makeOrderWorld, type OrderWorld } from '../../stages/orders/order-world.ts';

describe('orders of a marketplace account', () => {
  let world: OrderWorld;
  beforeAll(async () => {
    world = await makeOrderWorld();
  });
  afterAll(() => world.close());

  it('OIM-01 an order that cannot be stored does not block the other orders of its page; a notification names it', async () => {
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

  it('OIM-02 reading a tracking table again warns about numbers that are already being sent', async () => {
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

  it('OIM-02 a tracking number corrected at the marketplace is adopted once and ships no piece twice', async () => {
    const { order, line } = await world.bought();
    const sent = { kind: 'ship' as const, lines: [{ line, quantity: 2 }], carrier: 'DHL', returnTracking: '' };
    await world.ask(order, { ...sent, tracking: 'FALSCH 1' });
    await world.send();
    for (let minute = 0; minute < 2; minute++) {
      world.pass(60);
      await world.stage.work();
      await world.readBack();
    }
    await world.read(order);
    const shown = await world.port.order(order);
    if (shown?.shipments?.[0] === undefined) throw new Error('no parcel');
    const [parcel] = shown.shipments;
    const say = async (tracking: string, carrier: string) => {
      const changedAt = world.clock.now();
      const corrected = { ...shown, changedAt, shipments: [{ ...parcel, tracking, carrier }] };
      return takeAccountOrders(world.deps, world.account, [corrected], 'poll');
    };
    const { shipments: before, events: told } = await world.details(order);
    expect(before).toMatchObject([{ tracking: 'FALSCH 1', carrier: 'DHL' }]);
    // The same number in another spelling, and no number at all.
    await say('falsch1', 'DHL');
    await say('', '');
    expect((await world.details(order)).shipments).toEqual(before);
    expect(await say('RICHTIG2', 'DPD')).toEqual(['changed']);
    await say('RICHTIG2', 'DPD');
    const { shipments, events, order: row } = await world.details(order);
    expect(shipments).toEqual([{ ...before[0], tracking: 'RICHTIG2', carrier: 'DPD' }]);
    expect(row).toMatchObject({ open_pieces: 1, lines: [{ shipped: 2, open: 1 }] });
    expect(events.filter((one) => !told.some(({ text }) => text === one.text)).map(({ text }) => text)).toEqual([
      'Sendungsnummer beim Kanal berichtigt: RICHTIG2 statt FALSCH 1',
    ]);
  });
});
