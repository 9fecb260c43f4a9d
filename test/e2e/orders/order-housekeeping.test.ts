import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { api } from '#shared/http/api.ts';
import { Person } from '#shared/orders/persons.ts';
import { testKontor, type TestKontor } from '../../stages/kontor.ts';
import { orderChannel, takeOrders } from '../../stages/orders/order-samples.ts';

const HOUR = 3_600_000;
const patience = { timeout: 20_000 };

describe('background work on orders', () => {
  let kontor: TestKontor;
  let channel: string;
  let now = Date.now();
  beforeAll(async () => {
    kontor = await testKontor({}, { clock: { now: () => new Date(now) } });
    channel = await orderChannel(kontor, 'Mein Laden');
  });
  afterAll(() => kontor.close());

  it('OIM-02 an order that must be shipped within hours is notified once', async () => {
    await takeOrders(kontor, channel, [
      { orderid: 'EILIG', shipInHours: 9, lines: [{ sku: 'A-1' }] },
      { orderid: 'SPÄTER', shipInHours: 90, lines: [{ sku: 'A-1' }] },
    ]);
    const alarms = async () =>
      (await kontor.ask(api.notifications)).notifications
        .filter(({ title }) => /versendet werden/.test(title))
        .map(({ title, path }) => [title, path]);
    now += 2 * 60_000;
    await takeOrders(kontor, channel, [{ orderid: 'ANDERE', lines: [{ sku: 'A-1' }] }]);
    expect(await alarms()).toEqual([]);
    now += 4 * HOUR;
    await vi.waitFor(async () => expect(await alarms()).toHaveLength(1), patience);
    expect((await alarms())[0]?.[0]).toBe('Bestellung EILIG muss versendet werden');
    now += HOUR;
    await takeOrders(kontor, channel, [{ orderid: 'NOCH-EINE', lines: [{ sku: 'A-1' }] }]);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(await alarms()).toHaveLength(1);
  });

  it('OIM-02 a notification is repeated when the ship-by date becomes earlier or much later', async () => {
    const take = async (orderid: string, shipInHours: number) =>
      takeOrders(kontor, channel, [
        { orderid, changed_at: new Date(now).toISOString(), ship_by: inHours(shipInHours), lines: [{ sku: 'A-1' }] },
      ]);
    const inHours = (hours: number) => new Date(now + hours * HOUR).toISOString();
    const alarms = async () =>
      (await kontor.ask(api.notifications)).notifications.filter(({ title }) => title.includes('VERLEGT')).length;
    const reach = (count: number) => vi.waitFor(async () => expect(await alarms()).toBe(count), patience);
    const stays = async (count: number) => {
      now += 2 * 60_000;
      await take('ANSTOSS', 500);
      await new Promise((resolve) => setTimeout(resolve, 1500));
      expect(await alarms()).toBe(count);
    };
    await take('VERLEGT', 5);
    now += 2 * 60_000;
    await reach(1);
    // The same date, or a slightly later one, changes nothing.
    await take('VERLEGT', 5);
    await stays(1);
    await take('VERLEGT', 3);
    now += 2 * 60_000;
    await reach(2);
    await take('VERLEGT', 40);
    await stays(2);
    now += 35 * HOUR;
    await reach(3);
  });

  it('the personal data of a cancelled order is erased after a week', async () => {
    const delivery = Person.parse({ name: 'Kanari Vogel', lines: ['Kanariweg 1'], city: 'Bonn', country: 'DE' });
    const line = { sku: 'A-1', ordered: 1 };
    await takeOrders(kontor, channel, [{ orderid: 'P-1', lines: [line], persons: { delivery } }]);
    const company = (await kontor.ask(api.session)).company.id;
    const kept = () =>
      kontor.database.company(
        company,
        async (trx) => (await trx.selectFrom('order_persons').selectAll().execute()).length,
      );
    expect(await kept()).toBe(1);
    const params = { orderid: 'P-1', productid: 'P-1-1', quantity: 1, reason: 'NoInventory' };
    await kontor.ask(api.cancelItem, { params, query: { channel }, body: {} });
    now += 6 * 24 * HOUR;
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(await kept()).toBe(1);
    now += 25 * HOUR;
    await vi.waitFor(async () => expect(await kept()).toBe(0), patience);
    const { events, persons_until } = await kontor.ask(api.order, { params: { orderid: 'P-1' } });
    expect([events.some(({ text }) => /Personendaten gelöscht/.test(text)), persons_until]).toEqual([true, null]);
  });
});
