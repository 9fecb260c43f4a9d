import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { api } from '#shared/http/api.ts';
import { masterWith, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { insertOrderDays } from '../../stages/orders/order-days.ts';

/** The answers of the European Central Bank: two days, the later one first. */
const rates = `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
  <gesmes:subject>Reference rates</gesmes:subject><gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender>
  <Cube>
    <Cube time="2026-10-23"><Cube currency="PLN" rate="4.2"/><Cube currency="CZK" rate="24.5"/><Cube currency="XXX" rate="N/A"/></Cube>
    <Cube time="2026-10-21"><Cube currency="PLN" rate="4.0"/></Cube>
  </Cube>
</gesmes:Envelope>`;
const start = '2026-10-20';
const end = '2026-11-10';

describe('exchange rates of the statistic', () => {
  let kontor: TestKontor;
  let shop: string;
  let answer = { status: 503, text: 'geschlossen' };
  let asked = 0;
  let now = new Date('2026-10-26T12:00:00Z');
  const bank = createServer((_request, response) => {
    asked += 1;
    response.writeHead(answer.status, { 'content-type': 'text/xml' }).end(answer.text);
  });
  const euros = async () => {
    const rows = await kontor.ask(api.orderStatistic, { body: { start, end } });
    return rows.map(({ _id, currency, euro }) => [_id.datum, currency, euro]);
  };
  beforeAll(async () => {
    await new Promise<void>((resolve) => bank.listen(0, '127.0.0.1', resolve));
    const { port } = bank.address() as AddressInfo;
    kontor = await testKontor(
      { KONTOR_EXCHANGE_RATES: `http://127.0.0.1:${port}/eurofxref-hist-90d.xml` },
      { clock: { now: () => now } },
    );
    const masterid = await masterWith(kontor, 'sku;titel\nA-1;Hammer');
    shop = (await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Mein Shop' } })).id;
    const day = { channel: shop, pieces: 1, orders: 1, revenue_cents: 84_000 };
    await insertOrderDays(kontor, [
      { ...day, day: '2026-10-20', currency: 'PLN' },
      { ...day, day: '2026-10-22', currency: 'PLN' },
      { ...day, day: '2026-10-25', currency: 'PLN' },
      { ...day, day: '2026-10-25', currency: 'EUR' },
      { ...day, day: '2026-10-25', currency: 'SEK' },
      { ...day, day: '2026-11-09', currency: 'PLN' },
    ]);
  });
  afterAll(async () => {
    await kontor.close();
    bank.close();
  });

  it('ORD-04 a failure to fetch them is reported, and the statistic still answers', async () => {
    await vi.waitFor(() => expect(asked).toBe(1), { timeout: 20_000 });
    await vi.waitFor(
      async () =>
        expect(await kontor.ask(api.exchangeRates)).toMatchObject({
          fetching: true,
          newest: null,
          failed_since: '2026-10-26T12:00:00.000Z',
          failure: 'Die Adresse der Wechselkurse antwortet mit HTTP 503.',
        }),
      { timeout: 20_000 },
    );
    expect((await euros()).map(([, , euro]) => euro)).toEqual([null, null, undefined, null, null, null]);
  });

  it('ORD-04 other currencies are converted to euro at the rate of the day or the last one before it', async () => {
    answer = { status: 200, text: rates };
    now = new Date(now.getTime() + 61 * 60_000);
    await vi.waitFor(async () => expect((await kontor.ask(api.exchangeRates)).newest).toBe('2026-10-23'), {
      timeout: 20_000,
    });
    expect((await kontor.ask(api.exchangeRates)).failed_since).toBeNull();
    expect(await euros()).toEqual([
      ['2026-10-20', 'PLN', null],
      ['2026-10-22', 'PLN', { cents: 21_000, by: 'reference', day: '2026-10-21' }],
      ['2026-10-25', 'EUR', undefined],
      ['2026-10-25', 'PLN', { cents: 20_000, by: 'reference', day: '2026-10-23' }],
      ['2026-10-25', 'SEK', null],
      // There is no rate in the week before: an old one says nothing about the day.
      ['2026-11-09', 'PLN', null],
    ]);
  });

  it('ORD-04 an entered rate applies only where none was published, until it is removed', async () => {
    const set = (currency: string, rate: number | null) =>
      kontor.ask(api.setExchangeRate, { body: { currency, rate } });
    expect((await set('PLN', 4.2)).own).toMatchObject([{ currency: 'PLN', rate: 4.2 }]);
    await set('SEK', 11.2);
    const known = (await euros()).map(([, , euro]) => euro);
    const own = { by: 'own', day: '2026-10-26' };
    expect([known[0], known[1], known[4], known[5]]).toEqual([
      { ...own, cents: 20_000 },
      { cents: 21_000, by: 'reference', day: '2026-10-21' },
      { ...own, cents: 7500 },
      { ...own, cents: 20_000 },
    ]);
    expect((await set('SEK', null)).own).toHaveLength(1);
    const refused = (currency: string, rate: number) =>
      kontor
        .raw(api.setExchangeRate.path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ currency, rate }),
        })
        .then(({ status }) => status);
    expect(await Promise.all([refused('PLN', 0), refused('EUR', 1), refused('zl', 4)])).toEqual([422, 422, 422]);
  });

  it('ORD-04 the rates are fetched once a day', async () => {
    expect(asked).toBe(2);
    // Published meanwhile: it is past half past four in Berlin.
    now = new Date('2026-10-26T15:31:00Z');
    await vi.waitFor(() => expect(asked).toBe(3), { timeout: 20_000 });
    now = new Date('2026-10-27T15:20:00Z');
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(asked).toBe(3);
  });

  it('F16 a clock that was a year ahead for a moment does not delay the next fetch', async () => {
    const right = now;
    const before = asked;
    now = new Date('2027-10-26T16:00:00Z');
    await vi.waitFor(() => expect(asked).toBe(before + 1), { timeout: 20_000 });
    now = new Date(right.getTime() + 2 * 3_600_000);
    await vi.waitFor(() => expect(asked).toBe(before + 2), { timeout: 20_000 });
  });
});

describe("exchange rates without the operator's setting", () => {
  it('ORD-04 are not fetched', async () => {
    const kontor = await testKontor();
    expect(await kontor.ask(api.exchangeRates)).toMatchObject({ fetching: false, newest: null, failed_since: null });
    await kontor.close();
  });
});
