import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hintActions } from '#orders/actions/hint-actions.ts';
import { orderDifferences } from '#orders/audit/check-orders.ts';
import { makeOrderWorld, type OrderWorld } from '../stages/orders/order-world.ts';

describe('order actions at a marketplace', () => {
  let world: OrderWorld;
  beforeAll(async () => {
    world = await makeOrderWorld();
  });
  afterAll(() => world.close());

  const parcel = (line: string, quantity: number, tracking = 'JJD01') =>
    ({ kind: 'ship', lines: [{ line, quantity }], carrier: 'DHL', tracking, returnTracking: '' }) as const;
  const actionsOf = async (order: string) =>
    (await world.details(order)).actions.map(({ kind, state }) => `${kind} ${state}`).toReversed();
  /** Reads back for some minutes. */
  const readBack = async (minutes: number) => {
    for (let n = 0; n < minutes; n++) {
      world.pass(60);
      await world.stage.work();
      await world.readBack();
      await world.send();
    }
  };

  it('OIM-02 a parcel is sent once, and the order is shipped here and there', async () => {
    const { order, line } = await world.bought();
    await world.ask(order, parcel(line, 2));
    expect((await world.details(order)).order.lines[0]).toMatchObject({ open: 1, waiting: 2 });
    expect(await world.send()).toBe(1);
    // It only counts once the marketplace shows it.
    expect(await actionsOf(order)).toEqual(['ship submitted']);
    expect(world.stage.truth(order)).toMatchObject([{ shipped: 2 }]);
    await readBack(2);
    expect(await actionsOf(order)).toEqual(['ship done']);
    await world.ask(order, parcel(line, 1, 'JJD02'));
    await readBack(3);
    await world.read(order);
    const { order: row, shipments } = await world.details(order);
    expect(row.state).toBe('shipped');
    // Our own parcels, as the marketplace shows them, are not added a second time.
    expect(shipments.map(({ reference, source }) => [reference, source])).toEqual([
      ['1', 'us'],
      ['2', 'us'],
    ]);
    expect(world.sandbox.counters.shippedTwice).toBe(0);
  });

  it('OIM-02 an action without an answer is read back, and nothing is sent twice', async () => {
    const { order, line } = await world.bought();
    await world.ask(order, parcel(line, 3));
    await world.stage.duringAction('cutAfter', async () => void (await world.send()));
    expect(await actionsOf(order)).toEqual(['ship unknown']);
    expect((await world.details(order)).order.lines[0]).toMatchObject({ shipped: 0, open: 0, waiting: 3 });
    await readBack(2);
    expect(await actionsOf(order)).toEqual(['ship done']);
    expect(world.stage.truth(order)).toMatchObject([{ shipped: 3 }]);
    expect(world.sandbox.counters.shippedTwice).toBe(0);
  });

  it('OIM-02 an action that never arrived is sent again after a read-back did not find it', async () => {
    const { order, line } = await world.bought();
    await world.ask(order, parcel(line, 3));
    await world.stage.duringAction('cutBefore', async () => void (await world.send()));
    await readBack(50);
    expect(await actionsOf(order)).toEqual(['ship done']);
    expect(world.stage.truth(order)).toMatchObject([{ shipped: 3 }]);
    expect(world.sandbox.counters.shippedTwice).toBe(0);
  });

  it('OIM-02 a parcel that the marketplace accepted and lost is noticed and sent again', async () => {
    const { order, line } = await world.bought();
    await world.ask(order, parcel(line, 3));
    world.pass(60);
    world.sandbox.setFaults({ ignored: 1 });
    await world.send();
    world.sandbox.setFaults({});
    expect(world.stage.truth(order)).toMatchObject([{ shipped: 0 }]);
    await readBack(50);
    expect(await actionsOf(order)).toEqual(['ship done']);
    expect(world.stage.truth(order)).toMatchObject([{ shipped: 3 }]);
  });

  it('OIM-02 a parcel shipped on the seller page supersedes the waiting action, and nothing is sent', async () => {
    const { order, line } = await world.bought();
    await world.ask(order, parcel(line, 3));
    const there = await world.port.order(order);
    await world.port.act({
      ...parcel(line, 3, 'SELLER'),
      order,
      reference: '77',
      idemKey: 'page',
      orderedAt: there?.placedAt ?? world.clock.now(),
      shippedAt: world.clock.now(),
    });
    await world.read(order);
    const { actions, order: row, shipments } = await world.details(order);
    expect([row.state, actions[0]?.state, shipments[0]?.source]).toEqual(['shipped', 'superseded', 'channel']);
    expect(await world.send()).toBe(0);
  });

  it('OIM-03 a cancellation is a feed, and is done once the marketplace has processed it', async () => {
    const { order, line } = await world.bought([
      { sku: 'S1', quantity: 2 },
      { sku: 'S2', quantity: 1 },
    ]);
    await world.ask(order, { kind: 'cancel', line, quantity: 2, reason: 'NoInventory' });
    await world.send();
    expect(await actionsOf(order)).toEqual(['cancel submitted']);
    expect((await world.details(order)).order).toMatchObject({ state: 'open', open_pieces: 3 });
    await readBack(5);
    expect(await actionsOf(order)).toEqual(['cancel done']);
    expect(world.stage.truth(order)).toMatchObject([{ cancelled: 2 }, { cancelled: 0 }]);
    await world.read(order);
    expect((await world.details(order)).order).toMatchObject({ open_pieces: 1 });
  });

  it('OIM-03 a message about a processed feed has its report read at once', async () => {
    const { order, line } = await world.bought([{ sku: 'S1', quantity: 1 }]);
    await world.ask(order, { kind: 'cancel', line, quantity: 1, reason: 'NoInventory' });
    await world.send();
    world.pass(180);
    await world.stage.work();
    // The next poll is far in the future.
    const later = new Date(world.deps.clock.now().getTime() + 3_600_000);
    const [action] = await world.inside((trx) =>
      trx
        .updateTable('order_actions')
        .set({ not_before: later })
        .where('order_id', '=', order)
        .returning('reference')
        .execute(),
    );
    const reference = action?.reference ?? '';
    expect(await world.readBack()).toBe(0);
    const hint = (sellerId: string) =>
      world.inside((trx) => hintActions(trx, world.company, [{ sellerId, reference }], world.deps.clock.now()));
    await hint('FREMD');
    expect(await world.readBack()).toBe(0);
    await hint('wir');
    expect(await world.readBack()).toBe(1);
    expect(await actionsOf(order)).toEqual(['cancel done']);
  });

  it('OIM-03 cancellations that wait together are sent in one call', async () => {
    const made = [];
    for (let n = 0; n < 4; n++) made.push(await world.bought());
    for (const { order, line } of made)
      await world.ask(order, { kind: 'cancel', line, quantity: 3, reason: 'BuyerCanceled' });
    const { feeds } = world.sandbox.counters;
    world.pass(600);
    expect(await world.send()).toBe(4);
    expect(world.sandbox.counters.feeds - feeds).toBe(1);
    await readBack(10);
    for (const { order } of made) expect(await actionsOf(order)).toEqual(['cancel done']);
  });

  it('OIM-03 a return is refunded once; without an answer it becomes unclear and needs a decision', async () => {
    const { order, line } = await world.bought();
    await world.ask(order, parcel(line, 3));
    await readBack(3);
    await world.ask(order, { kind: 'return', line, quantity: 1, reason: 'no Reason' });
    world.pass(600);
    await world.send();
    await readBack(5);
    expect(await actionsOf(order)).toEqual(['ship done', 'return done']);
    await world.ask(order, { kind: 'return', line, quantity: 1, reason: 'no Reason' });
    world.pass(600);
    world.sandbox.setFaults({ cutBefore: 1 }, ['createFeed']);
    await world.send();
    world.sandbox.setFaults({});
    await readBack(60);
    const { actions, order: row } = await world.details(order);
    expect([actions[0]?.state, row.unclear]).toEqual(['unclear', 1]);
    expect(world.sandbox.counters.refundedTwice).toBe(0);
  });

  it('OIM-03 an action that cannot be looked up for a day becomes unclear, with or without an answer', async () => {
    const { order, line } = await world.bought();
    await world.ask(order, parcel(line, 3));
    await readBack(3);
    await world.ask(order, { kind: 'return', line, quantity: 1, reason: 'no Reason' });
    world.pass(600);
    world.sandbox.setFaults({ cutAfter: 1 }, ['createFeed']);
    await world.send();
    await world.ask(order, { kind: 'return', line, quantity: 1, reason: 'no Reason' });
    world.pass(600);
    world.sandbox.setFaults({});
    await world.send();
    expect(await actionsOf(order)).toEqual(['ship done', 'return unknown', 'return submitted']);
    world.sandbox.setFaults({ error503: 1 }, ['getFeeds', 'getFeed']);
    const hours = async (count: number) => {
      for (let n = 0; n < count; n++) {
        world.pass(3600);
        await world.readBack();
      }
    };
    await hours(22);
    expect(await actionsOf(order)).toEqual(['ship done', 'return unknown', 'return submitted']);
    await hours(3);
    world.sandbox.setFaults({});
    const { actions, order: row } = await world.details(order);
    expect([actions[0]?.state, actions[1]?.state, row.unclear]).toEqual(['unclear', 'unclear', 2]);
    expect(actions[0]?.message).toContain('seit einem Tag');
  });

  it('OIM-02 an unpaid order cannot be shipped, and is released with its price once paid', async () => {
    const { order, lines } = world.stage.buy([{ sku: 'S3', quantity: 1 }], { pending: true });
    await world.read(order);
    await expect(world.ask(order, parcel(lines[0] ?? '', 1))).rejects.toThrow('noch nicht zum Versand freigegeben');
    expect((await world.details(order)).order).toMatchObject({ state: 'pending', total_cents: null });
    world.stage.pay(order);
    await world.read(order);
    expect((await world.details(order)).order).toMatchObject({ state: 'open', total_cents: expect.any(Number) });
  });

  it('OIM-01 polling finds orders that no message reported', async () => {
    const made = [1, 2, 3].map(() => world.stage.buy([{ sku: 'S4', quantity: 1 }]).order);
    for (let n = 0; n < 5; n++) {
      world.pass(400);
      await world.poll();
    }
    for (const order of made) expect((await world.details(order)).order.state).toBe('open');
  });

  it('OIM-01 in the end counters equal the sums of their rows, and a change made outside the program is found', async () => {
    const differences = () => world.inside((trx) => orderDifferences(trx, world.company, world.clock.now()));
    expect(await differences()).toEqual(new Map());
    const { order, line } = await world.bought();
    await world.ask(order, parcel(line, 1));
    await world.inside((trx) =>
      trx.updateTable('order_lines').set({ ship_waiting: 2 }).where('order_id', '=', order).execute(),
    );
    expect([...(await differences())].map(([what]) => what)).toEqual(['zugesagte Stücke']);
  });

  it('only the sealed table stores personal data', async () => {
    const { order } = await world.bought();
    const names = world.stage.persons(order);
    const sealed = await world.inside((trx) => trx.selectFrom('order_persons').selectAll().execute());
    expect(sealed.some(({ order_id }) => order_id === order)).toBe(true);
    const tables = [
      'orders',
      'order_lines',
      'order_events',
      'order_actions',
      'shipments',
      'order_persons',
      'notifications',
    ] as const;
    for (const table of tables) {
      const text = JSON.stringify(await world.inside((trx) => trx.selectFrom(table).selectAll().execute()));
      for (const name of names) expect(text).not.toContain(name);
    }
    expect(world.sandbox.counters.personsSent).toBe(0);
  });
});
