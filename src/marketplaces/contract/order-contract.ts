import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import type { Market, OpenMarket } from './market.ts';
import { cancelTests } from './order-cancelling.ts';
import { readingTests, supportTests } from './order-reading.ts';
import { faultTests, shippingTests } from './order-shipping.ts';
import { cancellation, faults, parcel, read, type OrderTest } from './order-steps.ts';

/** Tests what every connector with orders must do, independent of its marketplace; connectors that only price are skipped. */
export function orderContract(name: string, open: OpenMarket): void {
  describe(`every connector's orders: ${name}`, () => {
    let market: Market | undefined;
    afterEach(() => market?.close());
    const test: OrderTest = (title, run) =>
      it(title, async () => {
        market = await open();
        const { orders: stage } = market;
        const { orders: port } = market.connector;
        expect(stage === undefined).toBe(port === undefined);
        if (stage !== undefined && port !== undefined) await run({ ...market, stage, port });
      });
    readingTests(test);
    supportTests(test);
    shippingTests(test);
    faultTests(test);
    cancelTests(test);
    privacyTests(test);
    stockTests(test);
  });
}

function privacyTests(test: OrderTest): void {
  test('OIM-02 an order contains its persons; no error, no answer and no request names them', async (market) => {
    const { order, lines } = market.stage.buy([{ sku: 'S1', quantity: 2 }]);
    const names = market.stage.persons(order);
    expect(names.length).toBeGreaterThan(2);
    const { persons, ...rest } = await read(market, order);
    for (const name of names) expect(inspect(persons, { depth: 9 })).toContain(name);
    const outputs: unknown[] = [rest];
    const keep = (error: unknown) => void outputs.push(error);
    for (const [fault] of [[undefined], ...faults] as const) {
      market.setFault(fault);
      market.pass(600);
      await market.port.act(parcel(market, order, [[lines[0] ?? '', 9]])).then(keep, keep);
      await market.port.act(cancellation(market, order, lines[0] ?? '', 9, 9)).then(keep, keep);
      await market.port
        .readBack(parcel(market, order, [[lines[0] ?? '', 1]]), { at: market.clock.now(), reference: '' })
        .then(keep, keep);
      if (fault !== undefined) await market.port.order(order).catch(keep);
      if (fault !== undefined) await market.port.changes(market.clock.now()).catch(keep);
    }
    const printed = inspect(outputs, { depth: 20, showHidden: true, maxStringLength: null, maxArrayLength: null });
    for (const name of names) expect(printed).not.toContain(name);
    expect(market.stage.personsSent()).toBe(0);
  });
}

function stockTests(test: OrderTest): void {
  test('OIM-02 stock is set as an absolute number and read back; an unknown article is refused', async (market) => {
    const { port } = market;
    if (port.setStock === undefined || port.readStock === undefined) return;
    expect(await port.setStock([{ sku: 'S/0 ä', quantity: 7 }])).toMatchObject([
      { sku: 'S/0 ä', state: 'ACCEPTED', issues: [] },
    ]);
    expect(await port.setStock([{ sku: 'S/0 ä', quantity: 5 }])).toMatchObject([{ state: 'ACCEPTED' }]);
    expect(await port.readStock(['S/0 ä', 'gibt es nicht'])).toEqual([
      { sku: 'S/0 ä', quantity: 5 },
      { sku: 'gibt es nicht', quantity: null },
    ]);
    expect(await port.setStock([{ sku: 'gibt es nicht', quantity: 1 }])).toMatchObject([
      { sku: 'gibt es nicht', state: 'INVALID', issues: [{ field: 'sku', message: expect.stringMatching(/./) }] },
    ]);
    market.stage.buy([{ sku: 'S/0 ä', quantity: 2 }]);
    expect(await port.readStock(['S/0 ä'])).toEqual([{ sku: 'S/0 ä', quantity: 3 }]);
    market.setFault('cutAfter');
    await expect(port.setStock([{ sku: 'S1', quantity: 4 }])).rejects.toMatchObject({ kind: 'unknown' });
    market.setFault('page');
    await expect(port.setStock([{ sku: 'S2', quantity: 4 }])).rejects.toMatchObject({ kind: 'unknown' });
    await expect(port.readStock(['S1'])).rejects.toMatchObject({ kind: 'retryable' });
  });

  test('OIM-02 several stock numbers are sent as one submission, whose result answers for each', async (market) => {
    const { port, stage, clock } = market;
    const { stockFeed: feed } = port;
    if (feed === undefined || port.readStock === undefined) return;
    const updates = [
      { sku: 'S1', quantity: 40 },
      { sku: 'gibt es nicht', quantity: 1 },
    ];
    const at = clock.now();
    const reference = await feed.submit(updates);
    expect(await feed.read(updates, { at, reference })).toEqual({ state: 'pending' });
    await stage.work();
    expect(await feed.read(updates, { at, reference })).toMatchObject({
      state: 'done',
      answers: [
        { sku: 'S1', state: 'ACCEPTED', issues: [] },
        { sku: 'gibt es nicht', state: 'INVALID', issues: [{ message: expect.stringMatching(/./) }] },
      ],
    });
    expect(await port.readStock(['S1'])).toEqual([{ sku: 'S1', quantity: 40 }]);
    market.setFault('cutBefore');
    await expect(feed.submit(updates)).rejects.toMatchObject({ kind: expect.stringMatching(/unknown|retryable/) });
  });
}
