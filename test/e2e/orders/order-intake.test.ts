import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChannelOrder, ChannelShipment } from '#marketplaces/orders-port.ts';
import { orderDifferences } from '#orders/audit/check-orders.ts';
import { takeOrders } from '#orders/intake/take-orders.ts';
import { at, line, said } from '#orders/model/merge-order-fixture.ts';
import { Vault } from '#platform/crypto/vault.ts';
import { randomIds } from '#platform/ids.ts';
import { api } from '#shared/http/api.ts';
import { StockSettings } from '#shared/stock/settings.ts';
import { masterWith, testKontor, type TestKontor } from '../../stages/kontor.ts';

const parcel = (reference: string, quantity: number): ChannelShipment => ({
  reference,
  carrier: 'DHL',
  tracking: `T${reference}`,
  shippedAt: at(1),
  state: 'shipped',
  lines: [{ line: '1', quantity }],
});
const hammers = (minute: number, shipped: number, shipments: ChannelShipment[]): ChannelOrder =>
  said(minute, [line({ sku: 'A-1', title: 'Hammer', ordered: 5, shipped })], { shipments });

describe('order updates that arrive bit by bit from a marketplace', () => {
  let kontor: TestKontor;
  let company: string;
  beforeAll(async () => {
    kontor = await testKontor();
    company = (await kontor.ask(api.session, {})).company.id;
  });
  afterAll(() => kontor.close());

  const takeIn = (order: ChannelOrder, channel = 'konto') =>
    kontor.database.company(company, (trx) =>
      takeOrders(
        trx,
        { ids: randomIds, vault: new Vault('test') },
        company,
        { channel, channelName: 'Konto', source: 'marketplace', by: 'poll', author: '', orders: [order] },
        new Date(),
      ),
    );

  it('OIM-02 later parcels replace the pieces that were counted without a parcel; the others stay open', async () => {
    const take = async (order: ChannelOrder) => {
      await takeIn(order);
      const { shipments, order: row } = await kontor.ask(api.order, { params: { orderid: 'O-1' } });
      const parcels = shipments.map(({ tracking, lines }) => `${tracking}: ${lines.map((one) => one.quantity).join()}`);
      return [parcels.toSorted(), row.lines[0]?.shipped, row.open_pieces];
    };
    expect(await take(hammers(1, 3, []))).toEqual([[': 3'], 3, 2]);
    expect(await take(hammers(2, 3, [parcel('9', 2)]))).toEqual([[': 1', 'T9: 2'], 3, 2]);
    expect(await take(hammers(3, 4, [parcel('9', 2), parcel('10', 2)]))).toEqual([['T10: 2', 'T9: 2'], 4, 1]);
    const differences = await kontor.database.company(company, (trx) => orderDifferences(trx, company, new Date()));
    expect([...differences.keys()]).toEqual([]);
  });

  it('OIM-03 a cancellation request is notified once, and again when it is withdrawn and repeated', async () => {
    const told = async () => {
      const { notifications } = await kontor.ask(api.notifications);
      return notifications.filter(({ title }) => title === 'Stornowunsch zu Bestellung O-2').length;
    };
    const counts: number[] = [];
    for (const [minute, hold] of (
      ['cancel_requested', 'cancel_requested', 'none', 'cancel_requested'] as const
    ).entries()) {
      await takeIn({ ...hammers(minute, 0, []), order: 'O-2', hold });
      counts.push(await told());
    }
    expect(counts).toEqual([1, 1, 1, 2]);
  });

  it('orders read before their offer was known reserve its pieces once it is known', async () => {
    const masterid = await masterWith(kontor, 'sku;bestand\nB-1;10\n', { key: 'sku' });
    const [params, marketplace] = [{ masterid }, 'A1PA6795UKMFR9'];
    const body = { name: 'Konto', sellerId: 'WIR', masterid, marketplace };
    const { id: account } = await kontor.ask(api.createMarketplaceAccount, { body });
    await takeIn({ ...hammers(1, 0, []), order: 'O-3' }, account);
    const offer = { item: 'B-1', account, sku: 'A-1', asin: 'B000000001', marketplace, shipping: 0, price: 1500 };
    await kontor.ask(api.saveListings, { params, body: [offer] });
    const settings = StockSettings.parse({ field: 'bestand', channels: [] });
    await kontor.ask(api.saveStockSettings, { params, body: settings, ifMatch: 0 });
    const numbers = async () => (await kontor.ask(api.stock, { params, query: {} })).rows;
    await expect.poll(numbers, { timeout: 10_000 }).toMatchObject([{ item: 'B-1', reserved: 5, available: 5 }]);
  });
});
