import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeServer } from '#platform/http/server.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import { recordRanks } from '#repricer/dashboard/numbers.ts';
import { dashboardRoutes } from '#repricer/dashboard/routes.ts';
import { berlinDay } from '#repricer/model/berlin-day.ts';
import { repriceDue } from '#repricer/decide/reprice.ts';
import { api } from '#shared/http/api.ts';
import { pathOf, type AnswerOf, type Call } from '#shared/http/call.ts';
import { offerMessage, undercutting } from '../../stages/repricer/offer-message.ts';
import { makePriceWorld, type PriceWorld } from '../../stages/repricer/price-world.ts';

/** Starts only the routes, on the world's database; everything but the caller is as in the program. */
async function serverOf(world: PriceWorld, rowsAtOnce?: number): Promise<FastifyInstance> {
  const principal = {
    company: world.company,
    companyName: '',
    userId: undefined,
    name: 'Ada',
    email: 'a@b.de',
    role: 'owner',
  };
  const app = await makeServer({
    log: makeLog('silent'),
    identify: async () => ({ ...principal, permissions: ['read', 'edit'], by: 'token' }),
  });
  dashboardRoutes(app, { ...world.deps, storagePaths: world.storagePaths }, rowsAtOnce);
  return app;
}

describe('figures of the repricer', () => {
  let world: PriceWorld;
  let app: FastifyInstance;
  type Asked = { params?: Record<string, string | number>; query?: Record<string, string>; body?: object };
  const raw = (call: Call, { params, query = {}, body }: Asked = {}, at = app) =>
    at.inject({ method: call.method, url: pathOf(call, params), query, ...(body && { payload: body }) });
  const ask = async <C extends Call>(call: C, asked: Asked = {}, at = app): Promise<AnswerOf<C>> => {
    const answer = await raw(call, asked, at);
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${answer.body}`);
    return call.response?.parse(answer.json()) as AnswerOf<C>;
  };
  const day = (days: number) => berlinDay(new Date(world.clock.now().getTime() + days * 86_400_000));
  const range = () => ({ start: day(-1), end: day(1) });

  beforeAll(async () => {
    const rule = undercutting('Regel00001', 'Unterbieten', ['von', 'bis', 'normal']);
    const excluded = [{ name: 'Billig GmbH', value: ' k9' }];
    world = await makePriceWorld(
      ['sku;von;bis;normal;Marke', ...[0, 1, 2, 3].map((n) => `A-${n};10,00;20,00;15,00;Bosch`)].join('\n'),
      4,
      [{ ...rule, action: { ...rule.action, exclude_sellers: excluded } }],
    );
    app = await serverOf(world);
    world.later(60);
    const minute = new Date(Math.floor(world.clock.now().getTime() / 60_000) * 60_000);
    const told = [
      offerMessage(0, { WIR: 15, K1: [12, 1.5], K2: 16 }, { at: minute, id: '1', box: 'K1' }),
      offerMessage(0, { WIR: 15, K1: 14, K2: 16 }, { at: new Date(minute.getTime() + 1000), id: '2', box: 'K1' }),
      offerMessage(1, { WIR: 12, K1: 12 }, { at: minute, id: '3', box: 'WIR' }),
      offerMessage(2, { WIR: 9, K2: [9.5, 0.5], K9: 20 }, { at: minute, id: '4' }),
      offerMessage(3, { K1: 10, K2: 11 }, { at: minute, id: '5' }),
    ];
    for (const message of told) expect(await world.receive(message)).toBe('taken');
    while ((await repriceDue(world.deps)) > 0);
  });
  afterAll(async () => {
    await app.close();
    await world.close();
  });

  it('RDA-01 RDA-02 RDA-03 returns messages by day and kind, ranks with boxes, and competitors', async () => {
    const { statdata, buyboxdata, sellerIds } = await ask(api.repricerStatistic, { body: range() });
    expect(sellerIds).toEqual(['WIR']);
    const today = { datum: { date: day(0) } };
    expect(statdata).toContainEqual({ ...today, group: 'reason', type: 'COMPETE_LOWEST', count: 2 });
    expect(statdata).toContainEqual({ ...today, group: 'reason', type: 'BELOW_MIN_TO_MIN', count: 2 });
    expect(statdata.map(({ group }) => group)).toContain('verdict');
    const row = (rang: number, anzahl: number, box: number) => ({
      rang,
      anzahl,
      buybox_count: box,
      non_buybox_count: anzahl - box,
    });
    expect(buyboxdata.buybox).toEqual([{ _id: 'WIR', daten: [row(0, 1, 0), row(1, 1, 0), row(2, 2, 1)] }]);
    expect(buyboxdata.compdata).toMatchObject([
      { sellerid: 'WIR', comp_seller_id: 'K1', total_count: 3, buybox_count: 1, non_buybox_count: 2 },
      { comp_seller_id: 'K2', total_count: 3, buybox_count: 0, non_buybox_count: 3 },
      { comp_seller_id: 'K9', total_count: 1 },
    ]);
    expect(await ask(api.sellerNames)).toEqual({ WIR: 'Test', K1: 'K1', K2: 'K2', K9: 'Billig GmbH' });
    const none = await ask(api.repricerStatistic, { body: { start: '2020-01-01', end: '2020-01-31' } });
    expect(none.statdata).toEqual([]);
    expect(none.buyboxdata.buyboxstat).toEqual([{ _id: 'WIR', daten: [] }]);
    expect((await raw(api.repricerStatistic, { body: { start: day(0), end: day(-1) } })).statusCode).toBe(422);
  });

  it('RDA-02 ranks are recorded once an hour, and the current ones come last', async () => {
    const hour = Math.floor(world.clock.now().getTime() / 3_600_000) * 3_600_000;
    const record = (minutes: number) =>
      world.database.system((trx) => recordRanks(trx, new Date(hour + minutes * 60_000)));
    const series = async () =>
      (await ask(api.repricerStatistic, { body: range() })).buyboxdata.buyboxstat[0]?.daten ?? [];
    await record(1);
    const before = await series();
    world.later(120);
    await world.receive(offerMessage(0, { WIR: 13, K1: 14 }, { at: world.clock.now(), id: '6', box: 'WIR' }));
    await record(59);
    const now = await series();
    expect(now).toHaveLength(2);
    expect(now[0]).toEqual({ ...before[0], 'rang 1': 1, 'rang 2': 2, 'rang 3': 0, buy_box: 1 });
    expect(now[1]).toMatchObject({ 'rang 1': 2, 'rang 2': 1, buy_box: 2 });
    await record(60);
    expect(await series()).toHaveLength(3);
  });

  it('the share of box time counts every hour with a known offer, and none after a day without messages', async () => {
    const boxTime = async () =>
      (await ask(api.repricerStatistic, { body: range() })).buyboxdata.boxtime[0]?.daten ?? [];
    const sum = (days: { observed: number; box: number }[]) =>
      days.reduce((all, { observed, box }) => ({ observed: all.observed + observed, box: all.box + box }), {
        observed: 0,
        box: 0,
      });
    const before = sum(await boxTime());
    const at = (hours: number) => new Date(world.clock.now().getTime() + hours * 3_600_000);
    await world.database.system((trx) => recordRanks(trx, at(5)));
    expect(sum(await boxTime())).toEqual({ observed: before.observed + 4, box: before.box + 2 });
    // A day and more after the last message it is unknown who has the BuyBox.
    await world.database.system((trx) => recordRanks(trx, at(30)));
    const later = { start: day(-1), end: day(3) };
    const all = (await ask(api.repricerStatistic, { body: later })).buyboxdata.boxtime[0]?.daten ?? [];
    expect(sum(all)).toEqual({ observed: before.observed + 4, box: before.box + 2 });
  });

  it("a seller's figures have the current boxes, offers at their minimum and held prices by reason", async () => {
    const held3 = {
      item: 'A-3',
      product_id: 'B3',
      verdict: 'hold' as const,
      held: 'BREAKER',
      reason: 'COMPETE_LOWEST',
    };
    const place = { company: world.company, master: world.masterid, marketplace: 'M1', decided_at: world.clock.now() };
    const made = { cause: 'offers', rule_revision: 1, snapshot: 1, limits_version: 'v', body: '' };
    await world.database.company(world.company, (trx) =>
      trx
        .insertInto('price_decisions')
        .values({ ...place, ...made, ...held3 })
        .execute(),
    );
    const params = { sellerid: ' wir' };
    const { at, box_time: time, held, ...figures } = await ask(api.repricerFigures, { params });
    expect(Date.parse(at)).toBeLessThanOrEqual(world.clock.now().getTime());
    expect(figures).toEqual({ offers: 4, known: 4, box: 2, nobody: 2, limited: 3, at_minimum: 1 });
    expect(time.length).toBeGreaterThan(0);
    // Only the newest decision counts, and that one has no bounds.
    expect(held).toEqual([{ reason: 'BREAKER', count: 1 }]);
    const other = await raw(api.repricerFigures, { params: { sellerid: 'FREMD' } });
    expect(other.statusCode).toBe(404);
  });

  it('RDA-04 RDA-06 the whole list comes in chunks in a fixed order, also from a process that sent no earlier chunk', async () => {
    const params = { sellerid: 'wir' };
    const first = await ask(api.repricedArticles, { params, query: { limit: '3' } });
    expect(first).toMatchObject({ total: 4, finished: false, pageCount: 2 });
    expect(first.data.map(({ _id }) => _id)).toEqual(['A-0', 'A-1', 'A-2']);
    const { _id, masterid, brand, ...figures } = first.data[2] ?? {};
    expect({ _id, masterid, brand }).toEqual({ _id: 'A-2', masterid: world.masterid, brand: 'Bosch' });
    expect(figures).toEqual({
      marketplace: 'M1',
      asin: 'B2',
      currency: 'EUR',
      own_buybox: 0,
      my_rang: 1,
      worker_min_price: 10,
      worker_price: 15,
      worker_max_price: 20,
      my_offer_listing_price: 9,
      my_offer_shipping_price: 0,
      comp_offer_price: 9.5,
      comp_offer_shipping_price: 0.5,
      comp_buybox: 0,
      comp_seller_id: 'K2',
      comp_name: 'K2',
      comp_seller_rang: 2,
      comp_count: 1,
      offers_at: expect.stringMatching(/^20.*Z$/),
    });
    const query = { offset: '3', limit: '3' };
    const second = await ask(api.repricedArticles, { params, query });
    expect(second).toMatchObject({ total: 4, finished: true, data: [{ _id: 'A-3', my_rang: null }] });
    const other = await serverOf(world);
    expect(await ask(api.repricedArticles, { params, query }, other)).toEqual(second);
    await other.close();
    const whole = await ask(api.repricedArticles, { params, query: { limit: '4' } });
    for (const rowsAtOnce of [1, 2, 3]) {
      const inPieces = await serverOf(world, rowsAtOnce);
      expect(await ask(api.repricedArticles, { params, query: { limit: '4' } }, inPieces)).toEqual(whole);
      expect((await ask(api.repricedArticles, { params, query }, inPieces)).data).toEqual(second.data);
      await inPieces.close();
    }
    const beyond = await ask(api.repricedArticles, { params, query: { offset: '10000' } });
    expect(beyond).toMatchObject({ data: [], total: 4, finished: true });
  });

  it('RDA-05 the articles of a rank, and those of a competitor next to its offer', async () => {
    const of = async (rank: number, query = {}) =>
      (await ask(api.articlesOfRank, { params: { sellerid: 'WIR', rank }, query })).map(({ _id }) => _id);
    expect([await of(0), await of(1), await of(2), await of(3)]).toEqual([['A-3'], ['A-0', 'A-2'], ['A-1'], []]);
    expect(await of(1, { offset: '1', limit: '1' })).toEqual(['A-2']);
    const params = { sellerid: 'WIR', competitor: 'k2' };
    const beside = await ask(api.articlesOfCompetitor, { params });
    expect(beside).toMatchObject([
      { _id: 'A-2', comp_seller_id: 'K2', comp_offer_price: 9.5, comp_seller_rang: 2 },
      { _id: 'A-3', comp_seller_id: 'K2', comp_offer_price: 11, comp_seller_rang: 2, my_rang: null },
    ]);
    expect(await ask(api.articlesOfCompetitor, { params: { ...params, competitor: 'K' } })).toEqual([]);
    expect((await raw(api.articlesOfRank, { params: { sellerid: 'WIR', rank: 'x' } })).statusCode).toBe(400);
  });

  it("RDA-07 the history has each seller's lowest price per minute with shipping, and marks ours and the box", async () => {
    const params = { sellerid: 'WIR', articleId: 'A-0' };
    const { repricerdata, finished } = await ask(api.articlePrices, { params });
    expect(finished).toBe(true);
    expect(repricerdata[0]?.amz_timestamp).toMatch(/:00\.000Z$/);
    expect(repricerdata[0]).toMatchObject({ info: 'BuyBox: K1' });
    expect(repricerdata[0]?.comp_data).toEqual([
      { sellerid: 'K1', offer_price: 12, offer_shipping_price: 1.5, is_buybox: true, own: false },
      { sellerid: 'WIR', offer_price: 15, offer_shipping_price: 0, is_buybox: false, own: true },
      { sellerid: 'K2', offer_price: 16, offer_shipping_price: 0, is_buybox: false, own: false },
    ]);
    const long = { start: '2020-01-01T00:00:00Z', end: '2020-02-01T00:00:00Z' };
    expect(await ask(api.articlePrices, { params, query: long })).toEqual({ repricerdata: [], finished: true });
    const unknown = await raw(api.articlePrices, { params: { ...params, articleId: 'A-9' } });
    expect([unknown.statusCode, unknown.json()]).toMatchObject([404, { error: { message: /gibt es nicht/ } }]);
  });

  it('RDA-07 of several messages in a minute the history keeps the lowest price of each seller', async () => {
    world.later(3600 - (world.clock.now().getTime() % 60_000) / 1000);
    const told: Record<string, number>[] = [
      { WIR: 15, K1: 9 },
      { WIR: 15, K1: 12, K2: 11 },
      { WIR: 14, K1: 10 },
    ];
    for (const [n, offers] of told.entries()) {
      world.later(5);
      await world.receive(offerMessage(1, offers, { at: world.clock.now(), id: `minute-${n}`, box: 'K1' }));
    }
    const { repricerdata } = await ask(api.articlePrices, { params: { sellerid: 'WIR', articleId: 'A-1' } });
    const { comp_data = [] } = repricerdata.at(-1) ?? {};
    expect(comp_data.map(({ sellerid, offer_price }) => [sellerid, offer_price])).toEqual([
      ['K1', 9],
      ['K2', 11],
      ['WIR', 14],
    ]);
  });

  it('RDA-09 notes are stored and listed, the newest day first', async () => {
    const [older, newer] = [
      { date: '2026-10-01', note: 'Preise gesenkt' },
      { date: '2026-11-01', note: 'Aktion' },
    ];
    expect(await ask(api.addNote, { body: newer })).toEqual({ note: newer });
    expect(await ask(api.addNote, { body: { ...older, note: '  Preise gesenkt ' } })).toEqual({ note: older });
    const notes = await ask(api.notes);
    expect(notes).toEqual([
      { ...newer, id: expect.any(Number) },
      { ...older, id: expect.any(Number) },
    ]);
    for (const body of [
      { ...older, note: ' ' },
      { ...older, date: '2026-02-30' },
      { date: '1.1.2026', note: 'x' },
    ])
      expect((await raw(api.addNote, { body })).statusCode).toBe(422);
    const params = { note: notes[0]?.id ?? 0 };
    await ask(api.deleteNote, { params });
    expect(await ask(api.notes)).toEqual(notes.slice(1));
    expect((await raw(api.deleteNote, { params })).statusCode).toBe(404);
  });
});
