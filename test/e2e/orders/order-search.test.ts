import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pg } from '#platform/db/pg.ts';
import { api } from '#shared/http/api.ts';
import type { NewOrder } from '#shared/orders/intake.ts';
import { testKontor, type TestKontor } from '../../stages/kontor.ts';
import { line, oddLine, order } from '../../stages/orders/file-channel-orders.ts';
import { orderChannel } from '../../stages/orders/order-samples.ts';

describe('tracking tables, persons and search of orders', () => {
  let kontor: TestKontor;
  let channel: string;
  beforeAll(async () => {
    kontor = await testKontor();
    channel = await orderChannel(kontor, 'Mein Laden');
  });
  afterAll(() => kontor.close());

  const hand = (...orders: NewOrder[]) => kontor.ask(api.createOrders, { body: { channel, orders } });
  const one = (orderid: string) => kontor.ask(api.order, { params: { orderid } });
  const parcel = { quantity: 1, carrier: 'DHL', tracking: 'JJD01', returntracking: '' };

  it('OIM-02 a tracking table is checked row by row before sending, then each parcel is sent on its own', async () => {
    await hand(order('T-1'), order('T-2', { lines: [line('1', { ordered: 2 }), line('2', { sku: 'B-2' })] }));
    const text =
      'Bestellnummer;Sendungsnummer;Artikelnummer;Menge\nT-1;X1;;\nT-2;X2;A-1;1\nT-2;X2;B-2;\nT-9;X3;;\nT-2;X4;A-1;5';
    const { rows, parcels } = await kontor.ask(api.checkTracking, { body: { text, carrier: 'DPD' } });
    expect(rows.map(({ state, message }) => [state, message])).toEqual([
      ['ready', '3 Stück werden als versandt gemeldet.'],
      ['ready', 'Ein Stück wird als versandt gemeldet.'],
      ['ready', 'Ein Stück wird als versandt gemeldet.'],
      ['error', 'Diese Bestellung gibt es hier nicht.'],
      ['error', 'Nur noch 1 offen.'],
    ]);
    expect((await one('T-1')).order.open_pieces).toBe(3);
    const { results } = await kontor.ask(api.shipOrders, { body: { parcels } });
    expect(results.map(({ ok }) => ok)).toEqual([true, true]);
    expect((await one('T-2')).shipments).toMatchObject([{ tracking: 'X2', lines: [{ quantity: 1 }, { quantity: 1 }] }]);
  });

  it('OIM-02 a tracking number with blanks, as carriers print it, is stored and found without them', async () => {
    await hand(order('N-1'), order('N-2'), order('N-3'));
    const ship = (orderid: string, tracking: string) =>
      kontor.ask(api.fulfillItem, {
        params: { orderid, productid: oddLine },
        body: { ...parcel, tracking, returntracking: ' 99 88 ' },
      });
    await ship('N-1', ' 0034 0434\u00a02161 ');
    await ship('N-2', '00340434\u200b2162');
    expect((await one('N-1')).shipments).toMatchObject([{ tracking: '003404342161', returntracking: '9988' }]);
    const found = async (search: string) =>
      (await kontor.ask(api.orders, { query: { filter: 'alle', search } })).rows.map(({ orderid }) => orderid);
    for (const search of ['0034 0434 2161', '003404342161']) expect(await found(search), search).toEqual(['N-1']);
    expect(await found('0034 0434 2162')).toEqual(['N-2']);
    // A number that was stored before blanks were removed is found as it was typed, and by its digits if it is in usual groups.
    const { channel: held } = (await one('N-2')).order;
    for (const [tracking, search] of [
      ['Rr 12 3', 'rr 12 3'],
      ['0034 0434 1610 9404 2557', '00340434161094042557'],
      ['1Z 999 AA1 01 2345 6784', '1z999aa10123456784'],
    ] as const) {
      await kontor.database.system((trx) =>
        trx
          .updateTable('shipments')
          .set({ tracking })
          .where('channel', '=', held)
          .where('order_id', '=', 'N-2')
          .execute(),
      );
      expect(await found(search), search).toEqual(['N-2']);
    }
    const text = 'Bestellnummer;Sendungsnummer;Retourennummer\nN-3;0034 0434 2161;77 66';
    const { rows, parcels } = await kontor.ask(api.checkTracking, { body: { text, carrier: 'DPD' } });
    expect(rows).toMatchObject([{ state: 'warning', message: 'Diese Sendungsnummer steht schon bei Bestellung N-1.' }]);
    expect(parcels).toMatchObject([{ tracking: '003404342161', returntracking: '7766' }]);
  });

  it('OIM-02 a tracking table with a row per piece yields one parcel with summed pieces', async () => {
    await hand(order('T-3', { lines: [line('1', { ordered: 3 }), line('2', { sku: 'B-2' })] }));
    const text =
      'Bestellnummer;Sendungsnummer;Artikelnummer;Menge\nT-3;Y1;A-1;1\nT-3;Y1;B-2;1\nT-3;Y1;A-1;1\nT-3;Y2;A-1;1';
    const { rows, parcels } = await kontor.ask(api.checkTracking, { body: { text, carrier: 'DPD' } });
    expect(rows.map(({ state }) => state)).toEqual(['ready', 'ready', 'ready', 'ready']);
    const { results } = await kontor.ask(api.shipOrders, { body: { parcels } });
    expect(results.map(({ ok, message }) => [ok, message])).toEqual([
      [true, 'Vermerkt.'],
      [true, 'Vermerkt.'],
    ]);
    const { shipments } = await one('T-3');
    expect(shipments.map(({ tracking, lines }) => [tracking, lines.map(({ quantity }) => quantity)])).toEqual([
      ['Y1', [2, 1]],
      ['Y2', [1]],
    ]);
  });

  it('personal data is sealed, read only with its right and a record, and erased', async () => {
    const person = {
      name: 'Kanari Vogel',
      company: '',
      lines: ['Kanariweg 1'],
      postalCode: '10115',
      city: 'Berlin',
      region: '',
      country: 'DE',
      email: '',
      phone: '',
    };
    await hand(order('P-1', { persons: { delivery: person } }));
    const read = async () =>
      (await kontor.ask(api.orderPersons, { body: { purpose: 'view', orders: [{ orderid: 'P-1', channel }] } }))
        .persons[0];
    expect(await read()).toMatchObject({ delivery: person, changed: false });
    await hand(
      order('P-1', { changed_at: '2026-11-20T13:00:00Z', persons: { delivery: { ...person, city: 'Bonn' } } }),
    );
    expect(await read()).toMatchObject({ delivery: { city: 'Bonn' }, changed: true });
    // A list that names less than what is stored replaces nothing.
    for (const less of [{ name: '' }, { lines: [], postalCode: '' }])
      await hand(order('P-1', { persons: { delivery: { ...person, city: 'Lager 3', ...less } } }));
    expect(await read()).toMatchObject({ delivery: { name: 'Kanari Vogel', city: 'Bonn' } });
    const { readings } = await kontor.ask(api.personReadings, { params: { orderid: 'P-1' } });
    expect(readings).toHaveLength(3);
    const until = async () => new Date((await one('P-1')).persons_until ?? 0).getTime();
    const open = await until();
    await kontor.ask(api.fulfillItem, {
      params: { orderid: 'P-1', productid: oddLine },
      body: { ...parcel, quantity: 3 },
    });
    // Shipped: deleted 45 days from now, no longer 180.
    expect(await until()).toBeLessThan(open);
    expect(JSON.stringify(await one('P-1'))).not.toContain('Kanari');
    await kontor.ask(api.erasePersons, { params: { orderid: 'P-1' } });
    expect((await read())?.delivery).toBeUndefined();
  });

  it('OIM-01 the search by article or number finds open orders behind thousands of shipped ones', async () => {
    await hand(order('N-1', { lines: [line('1', { sku: 'OFT' })] }));
    const company = (await kontor.ask(api.session)).company.id;
    await kontor.database.company(company, async (trx) => {
      await pg`insert into orders (company, channel, order_id, channel_name, source, placed_at, changed_at, seen_at, currency, state, open_pieces, day)
        select ${company}, ${channel}, 'V-' || n, 'Laden', 'call', '2020-01-01', '2020-01-01', '2020-01-01', 'EUR', 'shipped', 0, '2020-01-01'
        from generate_series(1, 2100) n`.execute(trx);
      await pg`insert into order_lines (company, channel, order_id, line_id, placed_at, position, sku, ordered, shipped)
        select ${company}, ${channel}, 'V-' || n, '1', '2020-01-01', 1, 'OFT', 1, 1 from generate_series(1, 2100) n`.execute(
        trx,
      );
    });
    const page = (filter: string) => kontor.ask(api.orders, { query: { filter, search: 'OFT' } });
    expect(await page('offen')).toMatchObject({ total: 1, rows: [{ orderid: 'N-1' }] });
    const first = await page('alle');
    expect([first.total, first.rows[0]?.orderid]).toEqual([2000, 'N-1']);
    // By the beginning of its number, too, even if many shipped ones begin alike.
    await hand(order('V-Z'));
    const begun = await kontor.ask(api.orders, { query: { filter: 'offen', search: 'V-' } });
    expect(begun).toMatchObject({ total: 1, rows: [{ orderid: 'V-Z' }] });
  });
});
