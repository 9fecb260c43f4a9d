import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { askOver } from '#client/call.ts';
import { leftOutWords, loadPrinted } from '#client/screens/orders/print/load-printed.ts';
import { testKontor, type TestKontor } from '../../stages/kontor.ts';
import { orderChannel, takeOrders } from '../../stages/orders/order-samples.ts';

describe('printed orders', () => {
  let kontor: TestKontor;
  let channel: string;
  const ask = askOver((path, init) => kontor.raw(path, init));
  beforeAll(async () => {
    kontor = await testKontor();
    channel = await orderChannel(kontor, 'Laden');
    const numbers = ['FBA-1', 'FBA-2', 'BETRUG', 'STORNO', 'UNSER-1', 'UNSER-2'];
    await takeOrders(
      kontor,
      channel,
      numbers.map((orderid, n) => ({ orderid, shipInHours: 5 + n, lines: [{ sku: 'A-1' }] })),
    );
    const company = (await kontor.ask(api.session)).company.id;
    await kontor.database.company(company, async (trx) => {
      const ofOrders = trx.updateTable('orders');
      await ofOrders.set({ fulfilled_by: 'marketplace' }).where('order_id', 'like', 'FBA-%').execute();
      await ofOrders.set({ hold: 'fraud' }).where('order_id', '=', 'BETRUG').execute();
      await ofOrders.set({ hold: 'cancel_requested' }).where('order_id', '=', 'STORNO').execute();
    });
  });
  afterAll(() => kontor.close());

  it('OIM-02 without a selection, orders shipped by the marketplace or on hold are left out and counted', async () => {
    const { orders, ...others } = await loadPrinted(ask, new URLSearchParams());
    expect(orders.map(({ orderid }) => orderid)).toEqual(['UNSER-1', 'UNSER-2']);
    expect(others).toEqual({ more: 0, chosen: false, elsewhere: 2, held: 2 });
    const words = (of: Parameters<typeof leftOutWords>[0]) => leftOutWords(of).replaceAll('\u00A0', ' ');
    expect(words(others)).toBe(
      ' Weggelassen: 2 offene Bestellungen, die der Marktplatz selbst versendet; 2 offene Bestellungen, die geprüft werden oder storniert werden sollen.',
    );
    expect(words({ elsewhere: 0, held: 1 })).toBe(
      ' Weggelassen: 1 offene Bestellung, die geprüft wird oder storniert werden soll.',
    );
    expect(words({ elsewhere: 0, held: 0 })).toBe('');
  });

  it('OIM-02 explicitly selected orders are all printed', async () => {
    const { orders, ...others } = await loadPrinted(ask, new URLSearchParams({ b: `${channel}/STORNO` }));
    expect(orders.map(({ orderid }) => orderid)).toEqual(['STORNO']);
    expect(others).toMatchObject({ chosen: true, elsewhere: 0, held: 0 });
  });

  it('OIM-02 who packs sees what is to be packed as a gift, with the address', async () => {
    const delivery = { name: 'Kanari Vogel', lines: ['Kanariweg 1'], postalCode: '50667', city: 'Köln' };
    const gifts = ['A-1: Geschenkverpackung „PREMIUM“, Nachricht: „Alles Gute!“'];
    const line = { productid: '1', sku: 'A-1', ordered: 1 };
    const order = { orderid: 'GESCHENK-1', placed_at: new Date().toISOString(), lines: [line] };
    await kontor.ask(api.createOrders, {
      body: { channel, orders: [{ ...order, persons: { delivery: { ...delivery, gifts } } }] },
    });
    const orders = [{ channel, orderid: order.orderid }];
    const { addresses } = await kontor.ask(api.slipAddresses, { body: { orders } });
    expect(addresses).toMatchObject([{ receiver: { name: 'Kanari Vogel', gifts } }]);
  });
});
