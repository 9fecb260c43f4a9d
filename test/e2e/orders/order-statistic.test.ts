import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { masterWith, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { insertOrderDays } from '../../stages/orders/order-days.ts';

describe('the statistic of orders', () => {
  let kontor: TestKontor;
  let amazon: string;
  let shop: string;
  const ask = (start: string, end: string) => kontor.ask(api.orderStatistic, { body: { start, end } });
  const refusal = async (body: object) => {
    const answer = await kontor.raw(api.orderStatistic.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, text: await answer.text() };
  };
  beforeAll(async () => {
    kontor = await testKontor();
    const masterid = await masterWith(kontor, 'sku;titel\nA-1;Hammer');
    const seller = { name: 'Amazon DE', sellerId: 'A3WIR', masterid, marketplace: 'A1PA6795UKMFR9' as const };
    amazon = (await kontor.ask(api.createMarketplaceAccount, { body: seller })).id;
    shop = (await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Mein Shop' } })).id;
    await insertOrderDays(kontor, [
      { day: '2026-10-24', channel: amazon, pieces: 3, revenue_cents: 5997, orders: 2 },
      { day: '2026-10-25', channel: amazon, pieces: 5, revenue_cents: 9995, orders: 4, cancelled: 1, returned: 1 },
      { day: '2026-10-25', channel: shop, pieces: 2, revenue_cents: 1, orders: 1, unpriced: 1 },
      { day: '2026-10-25', channel: amazon, currency: 'PLN', pieces: 7, revenue_cents: 70_000, orders: 1 },
      { day: '2026-10-26', channel: 'weg', pieces: 1, revenue_cents: 100, orders: 1 },
    ]);
  });
  afterAll(() => kontor.close());

  it("ORD-04 returns a row per day and channel, with the channel's current name", async () => {
    const rows = await ask('2026-10-24', '2026-10-26');
    expect(rows.map(({ _id, sumSales, count }) => [_id.datum, _id.marketplaceChannelName, sumSales, count])).toEqual([
      ['2026-10-24', 'Amazon DE', 59.97, 3],
      ['2026-10-25', 'Amazon DE', 99.95, 5],
      ['2026-10-25', 'Amazon DE (PLN)', 700, 7],
      ['2026-10-25', 'Mein Shop', 0.01, 2],
      ['2026-10-26', 'gelöschter Kanal', 1, 1],
    ]);
    expect(rows[1]).toMatchObject({
      channel: amazon,
      currency: 'EUR',
      orders: 4,
      cancelled: 1,
      returned: 1,
      unpriced: 0,
    });
    expect(rows[3]).toMatchObject({ channel: shop, unpriced: 1 });
  });

  it('ORD-02 a channel keeps its position when the range contains fewer channels', async () => {
    const placeOf = async (start: string, end: string) =>
      (await ask(start, end)).find(({ channel }) => channel === shop)?.position;
    const places = (await ask('2026-10-24', '2026-10-26')).map(({ position }) => position);
    expect(new Set(places).size).toBe(4);
    await insertOrderDays(kontor, [{ day: '2026-11-02', channel: shop, pieces: 1, revenue_cents: 100, orders: 1 }]);
    expect(await placeOf('2026-11-01', '2026-11-03')).toBe(await placeOf('2026-10-24', '2026-10-26'));
  });

  it('ORD-04 both ends of the range are included, and a day without orders has no row', async () => {
    expect(await ask('2026-10-24', '2026-10-24')).toHaveLength(1);
    expect(await ask('2026-10-27', '2026-10-31')).toEqual([]);
    expect(await ask('2027-01-01', '2028-01-01')).toEqual([]);
  });

  it('ORD-04 accepts a form body as well, as older programs send it', async () => {
    const answer = await kontor.raw(api.orderStatistic.path, {
      method: 'POST',
      body: new URLSearchParams({ start: '2026-10-24', end: '2026-10-24' }),
    });
    expect([answer.status, await answer.json()]).toMatchObject([200, [{ count: 3 }]]);
  });

  it.each([
    ['ends before it begins', '2026-10-25', '2026-10-24', /Ende liegt vor dem Anfang/],
    ['is longer than 800 days', '2024-01-01', '2026-10-24', /möglich sind 800 Tage/],
    ['names a day that does not exist', '2026-02-30', '2026-03-01', /Angaben sind unvollständig oder falsch/],
  ])('ORD-04 refuses a range that %s', async (_, start, end, text) => {
    const { status, text: body } = await refusal({ start, end });
    expect(status).toBe(422);
    expect(body).toMatch(text);
  });
});
