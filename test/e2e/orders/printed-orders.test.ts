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
});
