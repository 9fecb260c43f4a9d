import { expect } from 'vitest';
import { actionKinds } from '#marketplaces/orders-port.ts';
import { parcel, read, type OrderTest } from './order-steps.ts';

/** Tests of reading orders. */
export function readingTests(test: OrderTest): void {
  test('OIM-02 a read order has the lines, quantities and prices in cents that were bought, and can be shipped', async (market) => {
    const since = market.clock.now();
    const { order, lines } = market.stage.buy([
      { sku: 'S/0 ä', quantity: 2 },
      { sku: 'S1', quantity: 1 },
    ]);
    market.pass(600);
    const page = await market.port.changes(since);
    expect(page.orders.map((one) => one.order)).toEqual([order]);
    expect(page.asOf.getTime()).toBeLessThanOrEqual(market.clock.now().getTime());
    const found = await read(market, order);
    expect(found).toMatchObject({
      order,
      pending: false,
      hold: 'none',
      confirmable: true,
      fulfilledBy: 'merchant',
      currency: market.currency,
      complete: true,
      lines: [
        { line: lines[0], sku: 'S/0 ä', ordered: 2, shipped: 0, cancelled: 0, unitCents: 1500 },
        { line: lines[1], sku: 'S1', ordered: 1, shipped: 0, cancelled: 0, unitCents: 1500 },
      ],
    });
    expect(page.orders[0]).toEqual(found);
    expect(await market.port.order('gibt es nicht')).toBeUndefined();
    // After that time the order is not returned as changed.
    expect((await market.port.changes(new Date(found.changedAt.getTime() + 1000))).orders).toEqual([]);
  });

  test('OIM-02 an unpaid order has quantities but no price and no person, and cannot be shipped', async (market) => {
    const { order, lines } = market.stage.buy([{ sku: 'S1', quantity: 2 }], { pending: true });
    const early = await read(market, order);
    expect(early).toMatchObject({
      pending: true,
      persons: undefined,
      lines: [{ ordered: 2, cancelled: 0, unitCents: null }],
    });
    expect(await market.port.act(parcel(market, order, [[lines[0] ?? '', 1]]))).toMatchObject({
      state: 'refused',
      issues: [{}],
    });
    market.stage.pay(order);
    const paid = await read(market, order);
    expect(paid).toMatchObject({ pending: false, lines: [{ ordered: 2, unitCents: 1500 }] });
    expect(paid.changedAt.getTime()).toBeGreaterThan(early.changedAt.getTime());
    expect(paid.persons?.delivery?.name).toMatch(/./u);
  });

  test('OIM-02 an order of 500 lines is read completely, and line ids may contain any characters', async (market) => {
    const many = Array.from({ length: 500 }, (_, n) => ({ sku: `S${(n % 20) + 1}`, quantity: 1 }));
    const large = market.stage.buy(many);
    expect((await read(market, large.order)).lines.map(({ line }) => line)).toEqual(large.lines);
    const id = '3B1jF3414+YPHbym++/WiQ==';
    const { order } = market.stage.buy([{ sku: 'S1', quantity: 1, id }]);
    expect(await market.port.act(parcel(market, order, [[id, 1]]))).toMatchObject({ state: 'done' });
    expect((await read(market, order)).lines).toMatchObject([{ line: id, shipped: 1 }]);
  });
}

/** Tests of what a connector declares about itself. */
export function supportTests(test: OrderTest): void {
  test('OIM-03 declares its actions, their reasons, its rates and the size of a batch of stock', async ({ port }) => {
    const { actions, rates, stockBatch } = port.support;
    for (const kind of actionKinds) {
      const one = actions[kind];
      if (one === undefined) continue;
      if (kind === 'ship') expect(one.reasons).toEqual([]);
      else expect(one.reasons.length).toBeGreaterThan(0);
      // An action whose outcome cannot be read back must not be repeated.
      if (one.readBack === 'none') expect(one.repeat).not.toBe('after_reading');
    }
    for (const { perSecond, burst } of Object.values(rates)) expect([perSecond > 0, burst >= 1]).toEqual([true, true]);
    expect(stockBatch).toBeGreaterThanOrEqual(1);
  });

  test('OIM-02 wrong credentials give an auth error with a message for reads and actions, and change nothing', async (market) => {
    const { order, lines } = market.stage.buy([{ sku: 'S1', quantity: 1 }]);
    const auth = { kind: 'auth', message: expect.stringMatching(/./) };
    const wrong = market.wrong.orders;
    await expect(wrong?.changes(market.clock.now())).rejects.toMatchObject(auth);
    await expect(wrong?.order(order)).rejects.toMatchObject(auth);
    await expect(wrong?.act(parcel(market, order, [[lines[0] ?? '', 1]]))).rejects.toMatchObject(auth);
    expect(market.stage.truth(order)).toMatchObject([{ shipped: 0 }]);
  });
}
