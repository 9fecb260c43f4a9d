import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { testKontor, type TestKontor } from '../../stages/kontor.ts';
import { orderChannel, takeOrders } from '../../stages/orders/order-samples.ts';

describe('orders with more lines than the list shows', () => {
  let kontor: TestKontor;
  let channel: string;
  beforeAll(async () => {
    kontor = await testKontor();
    channel = await orderChannel(kontor, 'Laden');
    const shipped = { sku: 'A-1', shipped: 1 };
    const lines = [...Array.from({ length: 10 }, () => shipped), { sku: 'A-1' }];
    await takeOrders(kontor, channel, [
      { orderid: 'frei', lines },
      { orderid: 'gesperrt', pending: true, lines },
      { orderid: 'vergeben', lines },
    ]);
    const { company } = await kontor.ask(api.session);
    await kontor.database.company(company.id, (trx) =>
      trx
        .updateTable('order_lines')
        .set({ ship_waiting: 1 })
        .where((eb) => eb.and({ company: company.id, channel, order_id: 'vergeben', line_id: 'vergeben-11' }))
        .execute(),
    );
  }, 60_000);
  afterAll(() => kontor.close());

  it('OIM-02 the list says of each whether it can be shipped, as the server does when it is', async () => {
    const { rows } = await kontor.ask(api.orders, { query: { filter: 'alle' } });
    expect(rows.map(({ lines, line_count }) => [lines.length, line_count])).toEqual([
      [10, 11],
      [10, 11],
      [10, 11],
    ]);
    const said = new Map(rows.map(({ orderid, parcel }) => [orderid, parcel]));
    expect(said).toEqual(
      new Map([
        ['frei', { possible: true, reason: '' }],
        ['gesperrt', { possible: false, reason: 'Die Bestellung ist noch nicht zum Versand freigegeben.' }],
        ['vergeben', { possible: false, reason: 'Alle offenen Stücke sind schon in Bearbeitung.' }],
      ]),
    );
    const parcels = [...said.keys()].map((orderid) => ({
      orderid,
      channel,
      carrier: 'DHL',
      tracking: '1',
      returntracking: '',
    }));
    const { results } = await kontor.ask(api.shipOrders, { body: { parcels } });
    expect(new Map(results.map(({ orderid, ok }) => [orderid, ok]))).toEqual(
      new Map([...said].map(([orderid, { possible }]) => [orderid, possible])),
    );
  });
});
