import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PHONE_MARKER } from '#marketplaces/sandbox/order-book/persons.ts';
import { ownAccountCalls } from '#shared/account/own-calls.ts';
import { api } from '#shared/http/api.ts';
import { pathOf, type Call } from '#shared/http/call.ts';
import { Person } from '#shared/orders/persons.ts';
import { liveClient, propsOf } from '../../stages/http/live-client.ts';
import { testKontor, type TestKontor } from '../../stages/kontor.ts';
import { orderChannel, takeOrders } from '../../stages/orders/order-samples.ts';

const delivery = Person.parse({ name: 'Kanari Vogel', city: 'Bonn', email: 'kanari@beispiel.de', phone: PHONE_MARKER });

describe('a user with the warehouse role', () => {
  let kontor: TestKontor;
  let channel: string;
  let as: string;
  beforeAll(async () => {
    kontor = await testKontor();
    channel = await orderChannel(kontor, 'Laden');
    as = (await kontor.ask(api.createToken, { body: { name: 'Packtisch', role: 'warehouse' } })).token;
    const line = { sku: 'A-1', ordered: 2, unit_cents: 4321, discount_cents: 77, shipping_cents: 88, tax_rate: 1900 };
    await takeOrders(kontor, channel, [{ orderid: 'L-1', persons: { delivery }, lines: [line] }]);
  });
  afterAll(() => kontor.close());

  const order = () => kontor.ask(api.order, { as, params: { orderid: 'L-1' } });

  it('sees orders without prices, and can only ship', async () => {
    const { rows } = await kontor.ask(api.orders, { as, query: {} });
    const details = await order();
    for (const text of [rows, details].map((one) => JSON.stringify(one))) {
      for (const amount of ['4321', '8642', '8565', '"discount_cents":77', '"shipping_cents":88', '1900', '€'])
        expect(text).not.toContain(amount);
    }
    expect(rows[0]?.lines[0]).toMatchObject({
      sku: 'A-1',
      open: 2,
      sent: { possible: true },
      cancel: { possible: false, reason: 'Ihre Rolle versendet nur.' },
      return: { possible: false },
    });
    expect(details).toMatchObject({ refund: { possible: false }, refunds: [], events: [] });
    expect((await kontor.ask(api.order, { params: { orderid: 'L-1' } })).order.lines[0]?.unit_cents).toBe(4321);
  });

  it("reads a parcel's address, which is recorded, and nothing else of the buyer", async () => {
    const { addresses } = await kontor.ask(api.slipAddresses, { as, body: { orders: [{ orderid: 'L-1', channel }] } });
    expect(addresses).toEqual([{ orderid: 'L-1', channel, receiver: { ...delivery, email: '', phone: '' } }]);
    const { readings } = await kontor.ask(api.personReadings, { params: { orderid: 'L-1' } });
    expect(readings).toMatchObject([{ reader: 'Token „Packtisch“ von Inhaber', purpose: 'packing_slip' }]);
  });

  it('can reload and open the component of due orders', async () => {
    const live = liveClient(kontor);
    const props = propsOf(await live.first('due-orders', {}, as));
    const data = encodeURIComponent(JSON.stringify({ props, updated: { overdue: true }, children: {} }));
    expect((await kontor.raw(`/api/live-components/due-orders?data=${data}`, { as })).status).toBe(200);
    expect((await live.send('due-orders/toggle', { props, args: {} }, { as })).status).toBe(200);
    // Best sellers show orders with their prices.
    await expect(live.first('best-sellers', {}, as)).rejects.toThrow(/40[34]/);
  });

  it('can ship', async () => {
    const body = { quantity: 2, carrier: 'DHL', tracking: 'JJD1' };
    await kontor.ask(api.fulfillItem, { as, params: { orderid: 'L-1', productid: 'L-1-1' }, body });
    expect(await order()).toMatchObject({ order: { open_pieces: 0 }, shipments: [{ tracking: 'JJD1' }] });
  });

  it('can call only what shipping needs', async () => {
    const allowed = Object.entries<Call>(api).filter(([, { access }]) => access === 'ship' || access === 'enter');
    // Anyone who may enter manages his own password, factors and sessions.
    const own = new Set(Object.keys(ownAccountCalls));
    expect(
      allowed
        .map(([name]) => name)
        .filter((name) => !own.has(name))
        .toSorted(),
    ).toEqual([
      'checkTracking',
      'companyData',
      'companyLive',
      'fulfillItem',
      'header',
      'liveComponent',
      'liveComponentAction',
      'liveComponentFirst',
      'liveComponentGet',
      'marketplaceConnectors',
      'order',
      'orderCounters',
      'orders',
      'ordersCsv',
      'session',
      'shipOrders',
      'slipAddresses',
    ]);
    const gets = Object.values<Call>(api).filter(({ method, access }) => method === 'GET' && access === 'read');
    for (const call of gets) {
      const answer = await kontor.raw(pathOf(call, { masterid: 'x', id: 'x' }), { as });
      expect([call.path, answer.status]).toEqual([call.path, 403]);
    }
    for (const call of [api.refundItem, api.cancelItem, api.returnItem, api.orderPersons, api.reportPersons]) {
      const path = pathOf(call, { orderid: 'L-1', productid: 'L-1-1', quantity: 1, reason: 'NoInventory' });
      const answer = await kontor.raw(path, { as, method: 'POST' });
      expect([call.path, answer.status]).toEqual([call.path, 403]);
    }
  });
});
