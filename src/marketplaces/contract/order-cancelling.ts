import { expect } from 'vitest';
import { cancellation, counts, done, parcel, read, type OrderTest } from './order-steps.ts';

/** Tests of cancelling lines. */
export function cancelTests(test: OrderTest): void {
  test('OIM-03 cancelling a line leaves a shipped line of the same order unchanged', async (market) => {
    const { order, lines } = market.stage.buy([
      { sku: 'S1', quantity: 2 },
      { sku: 'S2', quantity: 1 },
    ]);
    await market.port.act(parcel(market, order, [[lines[0] ?? '', 2]]));
    expect(await done(market, cancellation(market, order, lines[1] ?? '', 1))).toMatchObject({ state: 'done' });
    expect(counts(await read(market, order))).toEqual([
      [2, 2, 0],
      [1, 0, 1],
    ]);
    expect(market.stage.truth(order)).toMatchObject([{ cancelled: 0 }, { cancelled: 1 }]);
  });

  test('OIM-03 refuses to cancel a shipped line, with a message', async (market) => {
    const { order, lines } = market.stage.buy([{ sku: 'S1', quantity: 1 }]);
    await market.port.act(parcel(market, order, [[lines[0] ?? '', 1]]));
    const answer = await done(market, cancellation(market, order, lines[0] ?? '', 1));
    expect(answer).toMatchObject({ state: 'refused', issues: [{ message: expect.stringMatching(/./) }] });
    expect(counts(await read(market, order))).toEqual([[1, 1, 0]]);
  });

  test('OIM-03 part of a line can be cancelled where the connector supports it', async (market) => {
    if (market.port.support.cancelScope !== 'quantity') return;
    const { order, lines } = market.stage.buy([{ sku: 'S1', quantity: 3 }]);
    expect(await done(market, cancellation(market, order, lines[0] ?? '', 1, 3))).toMatchObject({ state: 'done' });
    expect(counts(await read(market, order))).toEqual([[3, 0, 1]]);
    expect(await market.port.act(parcel(market, order, [[lines[0] ?? '', 2]]))).toMatchObject({ state: 'done' });
  });

  test('OIM-03 reading back a cancellation without an answer returns done or absent, as the marketplace has it', async (market) => {
    for (const fault of ['cutAfter', 'cutBefore'] as const) {
      const { order, lines } = market.stage.buy([{ sku: 'S1', quantity: 1 }]);
      const action = cancellation(market, order, lines[0] ?? '', 1);
      const sentAt = market.clock.now();
      await market.stage.duringAction(fault, async () => {
        await expect(market.port.act(action)).rejects.toMatchObject({ kind: 'unknown' });
      });
      await market.stage.work();
      market.pass(40 * 60);
      const evidence = await market.port.readBack(action, { at: sentAt, reference: '' });
      expect([fault, evidence.state]).toEqual([fault, fault === 'cutAfter' ? 'done' : 'absent']);
      expect(market.stage.truth(order)).toMatchObject([{ cancelled: fault === 'cutAfter' ? 1 : 0 }]);
    }
    expect(market.stage.doubles()).toBe(0);
  });

  test('OIM-03 an unknown reason for a cancellation is refused and cancels nothing', async (market) => {
    const { order, lines } = market.stage.buy([{ sku: 'S1', quantity: 1 }]);
    const action = { ...cancellation(market, order, lines[0] ?? '', 1), reason: 'Laune' };
    expect(await market.port.act(action)).toMatchObject({ state: 'refused', issues: [{ field: 'reason' }] });
    expect(market.stage.truth(order)).toMatchObject([{ cancelled: 0 }]);
  });
}
