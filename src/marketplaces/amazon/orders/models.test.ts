import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { startAmazonMarket } from '../../../../test/stages/marketplaces/amazon-market.ts';
import { hasInputData, inputBytes, onlyWithInputData } from '../../../../test/stages/input-data.ts';
import { exchangeMisfits, type Exchange, type Model } from '../../../../test/stages/marketplaces/model-check.ts';
import type { CancelAction, RefundAction, ShipAction } from '#marketplaces/orders-port.ts';

const names = ['orders_2026-01-01', 'ordersV0', 'feeds_2021-06-30', 'listingsItems_2021-08-01'];
/** Small models of the calls we use; and the official ones, where this machine has them. */
const sources = [
  {
    from: 'small models of ours',
    absent: false,
    read: (name: string) => readFileSync(new URL(`../../../../test/data/amazon/${name}.json`, import.meta.url), 'utf8'),
  },
  {
    from: `the official models (${onlyWithInputData})`,
    absent: !hasInputData,
    read: (name: string) => inputBytes(`spapi/${name}.json`).toString('utf8'),
  },
];

const operations = [
  'confirmShipment',
  'createFeed',
  'createFeedDocument',
  'getFeed',
  'getFeedDocument',
  'getFeeds',
  'getListingsItem',
  'getOrder',
  'patchListingsItem',
  'searchOrders',
];

type Market = Awaited<ReturnType<typeof startAmazonMarket>>;

/** Does everything that can be done with orders and stock, once successfully and once refused. */
async function doEverything({ connector, sandbox, clock, pass }: Market): Promise<void> {
  const { orders: port } = connector;
  if (port?.setStock === undefined || port.readStock === undefined) throw new Error('no orders');
  const since = clock.now();
  const more = { programs: ['FBM_SHIP_PLUS'] };
  const many = Array.from({ length: 101 }, () => sandbox.book.buy({ lines: [{ sku: 'S1', quantity: 1 }] }));
  sandbox.book.buy({ lines: [{ sku: 'S1', quantity: 1 }], ...more });
  sandbox.book.buy({ lines: [{ sku: 'S1', quantity: 1 }], byAmazon: true });
  sandbox.book.buy({ lines: [{ sku: 'S1', quantity: 1 }], pendingMinutes: 600 });
  const bought = sandbox.book.buy({
    lines: [
      { sku: 'S/0 ä', quantity: 3 },
      { sku: 'S2', quantity: 2 },
    ],
  });
  const [one, two] = bought?.lines ?? [];
  if (bought === undefined || one === undefined || two === undefined) throw new Error('sold out');
  const on = { order: bought.id, orderedAt: since };
  const shipment: ShipAction = {
    ...on,
    kind: 'ship',
    idemKey: 'a',
    reference: '1',
    shippedAt: clock.now(),
    carrier: 'Bote & Söhne',
    tracking: '00340433836442636597',
    returnTracking: '',
    lines: [{ line: one.id, quantity: 2 }],
  };
  const money = { cents: 1500, currency: 'EUR' };
  const cancel: CancelAction = {
    ...on,
    ...money,
    kind: 'cancel',
    idemKey: 'b',
    line: two.id,
    quantity: 2,
    ordered: 2,
    reason: 'NoInventory',
  };
  const part: CancelAction = {
    ...on,
    ...money,
    kind: 'cancel',
    idemKey: 'c',
    line: one.id,
    quantity: 1,
    ordered: 3,
    reason: 'BuyerCanceled',
  };
  const refund: RefundAction = {
    ...on,
    ...money,
    kind: 'refund',
    idemKey: 'd',
    line: one.id,
    reason: 'GeneralAdjustment',
  };
  sandbox.book.askToCancel(many[0]?.id ?? '', many[0]?.lines[0]?.id ?? '', 'NO_LONGER_NEEDED');
  expect(await port.act(shipment)).toMatchObject({ state: 'done' });
  expect(await port.act({ ...shipment, reference: '2' })).toMatchObject({ state: 'refused' });
  for (const action of [cancel, part, refund]) {
    const answer = await port.act(action);
    expect(answer).toMatchObject({ state: 'submitted' });
    expect(await port.readBack(action, { at: since, reference: answer.reference })).toMatchObject({ state: 'pending' });
    pass(600);
    expect(await port.readBack(action, { at: since, reference: answer.reference })).toMatchObject({ state: 'done' });
    await port.readBack(action, { at: clock.now(), reference: '' });
  }
  sandbox.book.deliver(bought.id);
  const page = await port.changes(since);
  await port.changes(since, page.next);
  expect(await port.order('gibt es nicht')).toBeUndefined();
  await port.setStock([{ sku: 'S/0 ä', quantity: 4 }]);
  await port.readStock(['S/0 ä']);
  const numbers = [
    { sku: 'S/0 ä', quantity: 40 },
    { sku: 'gibt es nicht', quantity: 1 },
  ];
  const reference = (await port.stockFeed?.submit(numbers)) ?? '';
  const sent = { at: clock.now(), reference };
  expect(await port.stockFeed?.read(numbers, sent)).toEqual({ state: 'pending' });
  pass(600);
  expect(await port.stockFeed?.read(numbers, sent)).toMatchObject({ state: 'done' });
  await port.stockFeed?.read(numbers, { ...sent, reference: '' });
}

const ofTheApi = ({ url }: Exchange) =>
  !/\/(?:auth\/o2\/token|documents\/)/u.test(new URL(url).pathname) || url.includes('/feeds/');

for (const { from, absent, read } of sources)
  describe.skipIf(absent)(from, () => {
    let market: Market | undefined;
    afterEach(() => market?.close());

    it('OIM-02 OIM-03 every request of ours and every response of the sandbox conforms to the models', async () => {
      market = await startAmazonMarket();
      await doEverything(market);
      const models = names.map((name) => JSON.parse(read(name)) as Model);
      const calls = market.exchanged.filter(ofTheApi);
      expect(Object.keys(market.sandbox.counters.calls).toSorted()).toEqual(operations);
      expect(calls.flatMap((call) => exchangeMisfits(models, call))).toEqual([]);
      // The check itself finds a wrong call.
      const [wrong] = calls.filter(({ method }) => method === 'POST');
      expect(
        exchangeMisfits(models, {
          ...calls[0],
          method: 'GET',
          url: 'http://x/orders/2026-01-01/orders?seit=1',
          body: undefined,
          status: 200,
          text: '{}',
        }),
      ).toHaveLength(2);
      expect(
        wrong && exchangeMisfits(models, { ...wrong, body: '{"packageDetail":{"packageReferenceId":1}}' }),
      ).not.toEqual([]);
    });
  });
