import { expect } from 'vitest';
import { counts, faults, parcel, read, type OrderTest } from './order-steps.ts';

/** Tests of confirming parcels. */
export function shippingTests(test: OrderTest): void {
  test('OIM-02 a line can be shipped in two parcels; more than its open quantity is refused with a message', async (market) => {
    const { order, lines } = market.stage.buy([{ sku: 'S1', quantity: 3 }]);
    const [line = ''] = lines;
    expect(await market.port.act(parcel(market, order, [[line, 1]]))).toMatchObject({ state: 'done', issues: [] });
    expect(counts(await read(market, order))).toEqual([[3, 1, 0]]);
    const tooMany = await market.port.act(parcel(market, order, [[line, 3]], 2));
    expect(tooMany).toMatchObject({ state: 'refused', issues: [{ message: expect.stringMatching(/./) }] });
    market.pass(10);
    expect(await market.port.act(parcel(market, order, [[line, 2]], 2))).toMatchObject({ state: 'done' });
    const shipped = await read(market, order);
    expect(counts(shipped)).toEqual([[3, 3, 0]]);
    if (shipped.shipments !== undefined)
      expect(shipped.shipments.map((one) => one.lines)).toEqual([[{ line, quantity: 1 }], [{ line, quantity: 2 }]]);
    expect(market.stage.truth(order)).toMatchObject([{ shipped: 3 }]);
  });

  test('OIM-02 an order fulfilled by the marketplace says so, and a parcel for it is refused', async (market) => {
    const { order, lines } = market.stage.buy([{ sku: 'S1', quantity: 1 }], { byMarketplace: true });
    expect(await read(market, order)).toMatchObject({ fulfilledBy: 'marketplace', confirmable: false });
    expect(await market.port.act(parcel(market, order, [[lines[0] ?? '', 1]]))).toMatchObject({ state: 'refused' });
  });

  test('OIM-02 refuses a parcel with a line that the order does not have, or for an unknown order', async (market) => {
    const { order } = market.stage.buy([{ sku: 'S1', quantity: 1 }]);
    expect(await market.port.act(parcel(market, order, [['fremd', 1]]))).toMatchObject({
      state: 'refused',
      issues: [{}],
    });
    expect(market.stage.truth(order)).toMatchObject([{ shipped: 0 }]);
    const nowhere = await market.port.act(parcel(market, 'gibt es nicht', [['1', 1]]));
    expect(nowhere).toMatchObject({ state: 'refused', issues: [{ message: expect.stringMatching(/Bestellung/) }] });
  });

  test('OIM-02 where repeating is safe, sending a parcel twice ships it once', async (market) => {
    if (market.port.support.actions.ship?.repeat !== 'safe') return;
    const { order, lines } = market.stage.buy([{ sku: 'S1', quantity: 2 }]);
    const action = parcel(market, order, [[lines[0] ?? '', 2]]);
    await market.port.act(action);
    market.pass(10);
    expect(await market.port.act(action)).toMatchObject({ state: 'done', reference: action.reference });
    expect(market.stage.truth(order)).toMatchObject([{ shipped: 2 }]);
    expect(market.stage.doubles()).toBe(0);
  });
}

/** Tests of faults while an action is sent. */
export function faultTests(test: OrderTest): void {
  for (const [fault, kind, isShipped] of faults)
    test(`OIM-02 ${fault}: a parcel fails as ${kind}, a read as retryable, and reading back returns what happened`, async (market) => {
      const { order, lines } = market.stage.buy([{ sku: 'S1', quantity: 1 }]);
      const action = parcel(market, order, [[lines[0] ?? '', 1]]);
      await market.port.order(order);
      const sentAt = market.clock.now();
      market.setFault(fault);
      await expect(market.port.act(action)).rejects.toMatchObject({ kind });
      await expect(market.port.order(order)).rejects.toMatchObject({ kind: 'retryable' });
      await expect(market.port.changes(sentAt)).rejects.toMatchObject({ kind: 'retryable' });
      await expect(market.port.readBack(action, { at: sentAt, reference: '' })).rejects.toMatchObject({
        kind: 'retryable',
      });
      market.setFault(undefined);
      market.pass(40 * 60);
      const evidence = await market.port.readBack(action, { at: sentAt, reference: '' });
      expect(evidence.state).toBe(isShipped ? 'done' : 'absent');
      expect(market.stage.truth(order)).toMatchObject([{ shipped: isShipped ? 1 : 0 }]);
      expect(market.stage.doubles()).toBe(0);
    });

  test('OIM-02 an aborted call changes nothing', async (market) => {
    const { order, lines } = market.stage.buy([{ sku: 'S1', quantity: 1 }]);
    await market.port.order(order);
    const aborted = AbortSignal.abort();
    await expect(market.port.act(parcel(market, order, [[lines[0] ?? '', 1]]), aborted)).rejects.toThrow();
    await expect(market.port.order(order, aborted)).rejects.toThrow();
    await expect(market.port.changes(market.clock.now(), undefined, aborted)).rejects.toThrow();
    expect(market.stage.truth(order)).toMatchObject([{ shipped: 0 }]);
  });
}
