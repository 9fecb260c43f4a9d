import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import type { NewOrder } from '#shared/orders/intake.ts';
import { testKontor, type TestKontor } from '../../stages/kontor.ts';
import { line, oddLine, order } from '../../stages/orders/file-channel-orders.ts';
import { orderChannel } from '../../stages/orders/order-samples.ts';

describe('orders of a channel fed by file', () => {
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

  it('ORD-04 an imported order is stored with its lines, and importing it again changes nothing', async () => {
    expect(await hand(order('B-1'))).toMatchObject({ new: 1, changed: 0 });
    expect(await hand(order('B-1'))).toMatchObject({ new: 0, changed: 0, unchanged: 1 });
    const { order: row, events } = await one('B-1');
    expect(row).toMatchObject({ state: 'open', open_pieces: 3, total_cents: 3000, channel_name: 'Mein Laden' });
    expect(row.lines[0]).toMatchObject({ item: 'A-1', open: 3, sent: { possible: true } });
    expect(events.map(({ text }) => text)).toEqual(['Bestellung eingegangen, eine Position']);
  });

  it('OIM-02 pieces are shipped in parcels; more than the open pieces are refused, and nothing is written', async () => {
    await hand(order('B-2'));
    const params = { orderid: 'B-2', productid: oddLine };
    const done = await kontor.ask(api.fulfillItem, { params, body: parcel });
    expect(done).toMatchObject({ state: 'done', success: 'Der Versand ist vermerkt.' });
    const before = await one('B-2');
    const refused = await kontor.raw(pathOf(api.fulfillItem, params), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...parcel, quantity: 3 }),
    });
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain('Nur noch 2 offen.');
    expect(await one('B-2')).toEqual(before);
    await kontor.ask(api.fulfillItem, { params, body: { ...parcel, quantity: 2, tracking: 'JJD02' } });
    const { order: row, shipments } = await one('B-2');
    expect(row).toMatchObject({ state: 'shipped', open_pieces: 0 });
    expect(shipments.map(({ tracking, lines }) => [tracking, lines[0]?.quantity])).toEqual([
      ['JJD01', 1],
      ['JJD02', 2],
    ]);
  });

  it('OIM-02 a form sent twice ships once and gets the same answer twice', async () => {
    await hand(order('B-3'));
    const send = async () => {
      const answer = await kontor.raw(pathOf(api.fulfillItem, { orderid: 'B-3', productid: oddLine }), {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'form-1' },
        body: JSON.stringify(parcel),
      });
      return (await answer.json()) as { action: string };
    };
    const [first, second] = [await send(), await send()];
    expect(second).toEqual(first);
    expect((await one('B-3')).shipments).toHaveLength(1);
  });

  it('OIM-04 a form corrected after a lost answer does not report the correction as saved', async () => {
    await hand(order('B-22', { lines: [line('1', { ordered: 3 })] }));
    const send = async (path: string, body: unknown, key: string) => {
      const answer = await kontor.raw(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify(body),
      });
      return [answer.status, await answer.text()] as const;
    };
    const ship = pathOf(api.fulfillItem, { orderid: 'B-22', productid: '1' });
    expect((await send(ship, parcel, 'form-2'))[0]).toBe(200);
    for (const changed of [{ tracking: 'JJD02' }, { quantity: 2 }, { carrier: 'GLS' }, { returntracking: 'R1' }]) {
      const [status, text] = await send(ship, { ...parcel, ...changed }, 'form-2');
      expect(status).toBe(422);
      expect(text).toContain('Schon beim ersten Absenden wurde vermerkt: Versand von einem Stück mit DHL JJD01.');
    }
    const refund = pathOf(api.refundItem, { orderid: 'B-22', productid: '1' });
    const refunded = { cents: 100, reason: 'Kratzer' };
    expect((await send(refund, refunded, 'form-3'))[0]).toBe(200);
    expect((await send(refund, refunded, 'form-3'))[0]).toBe(200);
    expect((await send(refund, { ...refunded, cents: 200 }, 'form-3'))[0]).toBe(422);
    // Shipping everything open is the same request, although the first try shipped it.
    const all = { parcels: [{ orderid: 'B-22', channel, carrier: 'DHL', tracking: 'JJD03' }] };
    for (const _try of [1, 2])
      expect(await send('/api/orders/ship', all, 'form-4')).toMatchObject([200, expect.stringContaining('"ok":true')]);
    const { shipments, refunds } = await one('B-22');
    expect(shipments.map(({ tracking, lines }) => [tracking, lines[0]?.quantity])).toEqual([
      ['JJD01', 1],
      ['JJD03', 2],
    ]);
    expect(refunds).toMatchObject([{ cents: 100 }]);
  });

  it('OIM-02 concurrent shipments of the last pieces create one parcel; the others are refused', async () => {
    await hand(order('B-21', { lines: [line('1', { ordered: 2 })] }));
    const ship = (tracking: string) =>
      kontor.raw(`${pathOf(api.fulfillItem, { orderid: 'B-21', productid: '1' })}?channel=${channel}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...parcel, quantity: 2, tracking }),
      });
    const answers = await Promise.all(['A-1', 'A-2', 'A-3', 'A-4'].map(ship));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    for (const refused of answers.filter(({ ok }) => !ok)) {
      expect([409, 422]).toContain(refused.status);
      expect(await refused.text()).toMatch(/offen|nichts geändert/);
    }
    const { shipments, order: row } = await one('B-21');
    expect(shipments).toHaveLength(1);
    expect(row.lines[0]).toMatchObject({ shipped: 2, open: 0 });
  });

  it('OIM-02 OIM-03 numbers as texts, texts as numbers, null and unused members are accepted as clients send them', async () => {
    await hand(order('B-6'));
    const post = async (path: string, body: unknown) => {
      const answer = await kontor.raw(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return [answer.status, await answer.text()] as const;
    };
    const params = { orderid: 'B-6', productid: oddLine };
    const item = { ...params, state: 'Versandt', quantity: '2', send: null, return: null };
    const shipment = { ...item, carrier: 'dhl ', tracking: 123_456_789_012, returntracking: null };
    expect(await post(pathOf(api.fulfillItem, params), shipment)).toMatchObject([200, expect.anything()]);
    expect((await one('B-6')).shipments).toMatchObject([
      { carrier: 'DHL', tracking: '123456789012', lines: [{ quantity: 2 }] },
    ]);
    const unused = { ...item, carrier: null, quantity: 'alle', tracking: {} };
    const cancelled = { ...params, quantity: 1, reason: 'NoInventory' };
    const unknown = { ...cancelled, reason: 'Quatsch' };
    expect((await post(pathOf(api.cancelItem, unknown), unused))[0]).toBe(422);
    expect((await post(pathOf(api.returnItem, unknown), unused))[0]).toBe(422);
    expect((await post(pathOf(api.cancelItem, cancelled), unused))[0]).toBe(200);
    expect((await post(pathOf(api.returnItem, { ...cancelled, reason: 'no Reason' }), unused))[0]).toBe(200);
    const refusals = [
      { ...shipment, carrier: null },
      { ...shipment, tracking: null },
      // More digits than a number can hold: they are lost before the server reads them.
      { ...shipment, tracking: Number('340434161094042557') },
      { ...shipment, quantity: 'zwei' },
    ];
    const texts = [/Versanddienst wählen/, /Sendungsnummer angeben/, /verliert Ziffern/, /Erwartet wird eine Zahl/];
    for (const [n, body] of refusals.entries())
      expect(await post(pathOf(api.fulfillItem, params), body)).toEqual([422, expect.stringMatching(texts[n] ?? /x/)]);
  });

  it('OIM-02 OIM-03 a body that names another order or line than the address is refused, and nothing is written', async () => {
    await hand(order('B-61'));
    const params = { orderid: 'B-61', productid: oddLine };
    const before = await one('B-61');
    const cancelled = pathOf(api.cancelItem, { ...params, quantity: 1, reason: 'NoInventory' });
    for (const [path, body, text] of [
      [pathOf(api.fulfillItem, params), { ...parcel, orderid: 'B-6' }, 'Die Bestellnummer im Inhalt („B-6“)'],
      [pathOf(api.fulfillItem, params), { ...parcel, productid: '1' }, 'Die Nummer der Position im Inhalt („1“)'],
      [cancelled, { ...params, productid: 17 }, 'Die Nummer der Position im Inhalt („17“)'],
    ] as const) {
      const answer = await kontor.raw(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining(text)]);
    }
    expect(await one('B-61')).toEqual(before);
  });

  it('OIM-03 ORD-04 cancelled pieces leave total, revenue and quantity, returned ones are counted apart', async () => {
    // No other test has an order on this day.
    const day = '2026-10-07';
    const counted = async () => {
      const rows = await kontor.ask(api.orderStatistic, { body: { start: day, end: day } });
      return rows.map(({ sumSales, count, cancelled, returned }) => ({ sumSales, count, cancelled, returned }));
    };
    await hand(order('B-4', { placed_at: `${day}T10:00:00Z` }));
    expect(await counted()).toEqual([{ sumSales: 30, count: 3, cancelled: 0, returned: 0 }]);
    const params = { orderid: 'B-4', productid: oddLine };
    await kontor.ask(api.cancelItem, { params: { ...params, quantity: 1, reason: 'NoInventory' }, body: {} });
    await kontor.ask(api.fulfillItem, { params, body: { ...parcel, quantity: 2 } });
    await kontor.ask(api.returnItem, { params: { ...params, quantity: 1, reason: 'no Reason' }, body: {} });
    const { order: row, cancellations, returns } = await one('B-4');
    expect(row).toMatchObject({ state: 'shipped', total_cents: 2000 });
    expect(row.lines[0]).toMatchObject({ shipped: 2, cancelled: 1, returned: 1, returnable: 1 });
    expect([cancellations[0]?.reason, returns[0]?.state]).toEqual(['NoInventory', 'accepted']);
    expect((await one('B-4')).events[0]?.text).toBe('Erledigt: Retoure von einem Stück');
    expect(await counted()).toEqual([{ sumSales: 20, count: 2, cancelled: 1, returned: 1 }]);
  });

  it('an order completed by a cancellation was shipped when its last parcel was, not when the rest was cancelled', async () => {
    await hand(order('B-7'));
    const params = { orderid: 'B-7', productid: oddLine };
    await kontor.ask(api.fulfillItem, { params, body: { ...parcel, quantity: 2 } });
    await kontor.ask(api.cancelItem, { params: { ...params, quantity: 1, reason: 'NoInventory' }, body: {} });
    const { order: row, shipments } = await one('B-7');
    expect(row.state).toBe('shipped');
    expect(row.shipped_at).toBe(shipments[0]?.shipped_at);
  });

  it('OIM-02 later data of the shop wins, but older data changes nothing', async () => {
    await hand(order('B-5'));
    const params = { orderid: 'B-5', productid: oddLine };
    await kontor.ask(api.fulfillItem, { params, body: parcel });
    const later = { changed_at: '2026-11-20T12:00:00Z' };
    // The update cancels two pieces and contains no parcel.
    await hand(order('B-5', { ...later, lines: [line(oddLine, { ordered: 1 })] }));
    expect((await one('B-5')).order.lines[0]).toMatchObject({ ordered: 3, shipped: 1, cancelled: 2, open: 0 });
    expect(await hand(order('B-5'))).toMatchObject({ old: 1 });
  });

  it('OIM-01 the list filters, searches by number, article and parcel, and counts what waits', async () => {
    await hand(order('L-1', { ship_by: '2026-11-19T10:00:00Z' }), order('L-2', { pending: true }));
    const list = (query: Record<string, string>) => kontor.ask(api.orders, { query });
    const ids = async (query: Record<string, string>) => (await list(query)).rows.map(({ orderid }) => orderid);
    expect((await list({ filter: 'offen' })).counters).toMatchObject({ due: 1, overdue: 1 });
    expect(await ids({ filter: 'faellig' })).toEqual(['L-1']);
    expect(await ids({ filter: 'vorgemerkt' })).toEqual(['L-2']);
    expect(await ids({ filter: 'alle', search: 'L-' })).toEqual(['L-1', 'L-2']);
    expect(await ids({ filter: 'alle', search: 'jjd02' })).toEqual(['B-2']);
    expect(await ids({ filter: 'alle', search: '100%' })).toEqual([]);
    // Half a filter must not be ignored: a program that asks for one article's orders would get all.
    for (const half of ['item=A-1', 'masterid=M1']) {
      const answer = await kontor.raw(`${api.orders.path}?filter=alle&${half}`);
      expect([half, answer.status, await answer.text()]).toEqual([
        half,
        422,
        expect.stringContaining('gehören zusammen'),
      ]);
    }
    const refused = await kontor.raw(pathOf(api.fulfillItem, { orderid: 'L-2', productid: oddLine }), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(parcel),
    });
    expect([refused.status, await refused.text()]).toEqual([
      409,
      expect.stringContaining('noch nicht zum Versand freigegeben'),
    ]);
  });
});
