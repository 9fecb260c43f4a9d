import { describe, expect, it } from 'vitest';
import { seeded } from '../../../seed/random.ts';
import { readNotification } from './offer-messages.ts';
import type { OrderNews } from '#marketplaces/port.ts';
import { readOrderChange } from './order-messages.ts';
import { otherCase } from '#marketplaces/sandbox/offers.ts';
import { startSandbox } from '#marketplaces/sandbox/sandbox.ts';

const item = (OrderItemId: string, more: object = {}) => ({ OrderItemId, SellerSKU: 'S1', Quantity: 2, ...more });
const message = (summary: object = {}, change: object = {}) => ({
  NotificationType: 'ORDER_CHANGE',
  EventTime: '2026-01-15T12:05:00Z',
  Payload: {
    OrderChangeNotification: {
      NotificationLevel: 'OrderLevel',
      SellerId: 'WIR',
      AmazonOrderId: '028-1234567-1234567',
      OrderChangeType: 'OrderStatusChange',
      OrderChangeTrigger: { TimeOfOrderChange: '2026-01-15T12:01:00Z', ChangeReason: 'x' },
      Summary: {
        MarketplaceId: 'A1PA6795UKMFR9',
        OrderStatus: 'Unshipped',
        PurchaseDate: '2026-01-15T12:00:00Z',
        DestinationPostalCode: '10115',
        OrderItems: [item('L1'), item('L2', { SellerSKU: 'S2', Quantity: '1' })],
        ...summary,
      },
      ...change,
    },
  },
});

describe('messages about orders', () => {
  it('REP-19 yield what was bought and when, nothing about the buyer, with keys in any case', () => {
    const expected: OrderNews = {
      sellerId: 'WIR',
      marketplace: 'A1PA6795UKMFR9',
      order: '028-1234567-1234567',
      purchasedAt: new Date('2026-01-15T12:00:00Z'),
      changedAt: new Date('2026-01-15T12:01:00Z'),
      lines: [
        { line: 'L1', sku: 'S1', quantity: 2 },
        { line: 'L2', sku: 'S2', quantity: 1 },
      ],
    };
    expect(readOrderChange(message())).toEqual(expected);
    expect(readOrderChange(otherCase(message()))).toEqual(expected);
    expect(readNotification(message())).toBeUndefined();
  });

  it('REP-19 a cancelled order has quantities of 0, also if the time of purchase is missing', () => {
    const gone = readOrderChange(message({ OrderStatus: 'Canceled', PurchaseDate: null }));
    expect(gone?.lines.map(({ quantity }) => quantity)).toEqual([0, 0]);
    expect(gone?.purchasedAt).toEqual(gone?.changedAt);
    expect(readOrderChange(message({ OrderItems: [item('L1', { Quantity: null })] }))?.lines).toEqual([
      { line: 'L1', sku: 'S1', quantity: 1 },
    ]);
    const noTime = message({}, { OrderChangeTrigger: { TimeOfOrderChange: null } });
    expect(readOrderChange(noTime)?.changedAt).toEqual(new Date('2026-01-15T12:05:00Z'));
  });

  it('REP-19 other messages are not read as messages about orders', () => {
    const halves = item('\ud800');
    for (const wrong of [
      null,
      'x',
      {},
      { Payload: [] },
      message({ PurchaseDate: null }),
      message({ OrderItems: [halves, {}] }),
      message({}, { SellerId: undefined }),
    ])
      expect(readOrderChange(wrong)).toBeUndefined();
  });

  it('REP-19 in the sandbox cheaper items sell more, a large price cut draws a run, and orders get cancelled', async () => {
    let at = Date.parse('2026-03-01T10:00:00Z');
    const news: OrderNews[] = [];
    const items = ['S0', 'S1', 'S2'].map((sku) => ({ sku, asin: sku, cents: 1500, minCents: 500, maxCents: 2000 }));
    const sandbox = await startSandbox({
      place: { marketplace: 'M1', sellerId: 'WIR', currency: 'EUR' },
      credentials: { clientId: 'a', clientSecret: 'b', refreshToken: 'c' },
      items,
      clock: { now: () => new Date(at) },
      chance: seeded(3),
      ordersPerHour: 4,
      faults: { bargainRun: 1, cancelled: 0.2, doubled: 0.2, otherCase: 0.5 },
      liveAfterMs: [0, 0],
      deliver: async (messages) => void news.push(...messages.flatMap((one) => readOrderChange(one) ?? [])),
    });
    const pass = async (hours: number) => {
      for (let minute = 0; minute < hours * 60; minute++) {
        at += 60_000;
        await sandbox.advance(0);
      }
    };
    const price = (sku: string, cents: number) => {
      const article = sandbox.world.articles.get(sku);
      if (article !== undefined) sandbox.world.take(article, cents, at);
    };
    price('S1', 1300);
    price('S2', 1000);
    await pass(0.5);
    const bought = (sku: string) =>
      new Set(news.filter(({ lines }) => lines[0]?.sku === sku).map(({ order }) => order)).size;
    expect(bought('S2')).toBeGreaterThan(60);
    await pass(30);
    expect(bought('S1')).toBeGreaterThan(bought('S0'));
    const { orders, cancelled } = sandbox.counters;
    expect(bought('S0') + bought('S1') + bought('S2')).toBe(orders);
    expect(cancelled / orders).toBeGreaterThan(0.1);
    expect(news.filter(({ lines }) => lines[0]?.quantity === 0).length).toBeGreaterThan(cancelled / 2);
    await sandbox.close();
  });
});
