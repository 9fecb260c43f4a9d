import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import type { MaterialisedFieldSource } from '#catalogue/materialised-fields.ts';
import { listingsOf, saveListings } from '#repricer/model/listings.ts';
import { giveBack, takeDue } from '#repricer/queue/queue.ts';
import { repriceDue } from '#repricer/decide/reprice.ts';
import { saveRepricerRule } from '#repricer/rules/rule-store.ts';
import { setStop } from '#repricer/control/state.ts';
import { readBackDue, submitDue } from '#repricer/outbox/submit.ts';
import { pollOffers, PollingPlans } from '#repricer/intake/offer-polling.ts';
import { undercutting as rule } from '../../stages/repricer/offer-message.ts';
import type { PriceMarket } from '../../stages/repricer/price-market.ts';
import { makePriceWorld, type PriceWorld } from '../../stages/repricer/price-world.ts';

const ITEMS = 60;
describe('prices from decision to marketplace', () => {
  let world: PriceWorld;
  let market: PriceMarket;
  let company: string;
  const clock = { now: () => world.clock.now() };
  const later = (seconds: number) => world.later(seconds);
  const deps = () => world.deps;
  const inside = <T>(work: (trx: Trx) => Promise<T>) => world.inside(work);
  const place = () => world.place;
  const by = { author: 'Test', expected: undefined };

  beforeAll(async () => {
    const rows = Array.from({ length: ITEMS }, (_, n) => `A-${n};10,00;20,00;${n === 59 ? '' : '15,00'};8,00`);
    world = await makePriceWorld(['sku;von;bis;normal;ek', ...rows].join('\n'), ITEMS, [
      rule('Empty00000', 'Gilt für keinen', ['gibt es nicht', 'bis', 'normal']),
      rule('Regel00001', 'Unterbieten', ['von', 'bis', 'normal']),
    ]);
    ({ market, company } = world);
  });
  afterAll(() => world.close());

  const message = (n: number, offers: Record<string, number>, at = clock.now()) => world.message(n, offers, at);
  const receive = (given: unknown) => world.receive(given);
  const decided = (n: number) => world.decided(n);
  const undercut = (n: number, amount = 14) => world.undercut(n, amount);
  const state = async (n: number) => (await decided(n))?.sent;
  /** Returns what we take for our own price. */
  const own = async (n: number) =>
    (
      await inside((trx) =>
        pg<{ price_cents: number }>`select price_cents from listings where item = ${`A-${n}`}`.execute(trx),
      )
    ).rows[0]?.price_cents;
  const sendsOf = (n: number) => market.came.filter(({ sku }) => sku === `S${n}`).length;

  it('REP-19 an offer leads to a price that is decided, recorded, sent, accepted and live', async () => {
    expect(await undercut(0)).toBe(1);
    expect(await decided(0)).toMatchObject({
      ruleName: 'Unterbieten',
      reason: 'COMPETE_LOWEST',
      price_cents: 1399,
      verdict: 'submit',
      arithmetic: { min_cents: 1000, target: { seller_id: 'K1' } },
      sent: { state: 'accepted', sends: 1, from_cents: 1500 },
    });
    expect(market.prices.get('S0')).toBe(1399);
    expect(await readBackDue(deps())).toBe(0);
    later(31);
    expect(await readBackDue(deps())).toBe(1);
    expect(await state(0)).toMatchObject({ state: 'live' });
    await receive(message(0, { WIR: 13.99, K1: 14 }));
    await repriceDue(deps());
    expect(await decided(0)).toMatchObject({
      verdict: 'unchanged',
      arithmetic: { removed: [{ seller_id: 'WIR', reason: 'OWN' }] },
    });
  });

  it('REP-19 a repeated message counts once, older and invalid ones are reported, prices are stored by the minute', async () => {
    const first = message(1, { K1: 14, K2: 13 });
    expect(await receive(first)).toBe('taken');
    expect(await receive(first)).toBe('twice');
    expect(await receive(message(1, { K1: 1 }, new Date(clock.now().getTime() - 1000)))).toBe('old');
    expect(await receive(message(1, { K2: 13.5 }))).toBe('taken');
    expect(await receive(message(1, { K1: 1 }, new Date(clock.now().getTime() + 3_600_000)))).toBe('future');
    expect(await receive({ ...message(1, {}), Payload: {} })).toBe('unreadable');
    expect(await receive(message(999, { K1: 14 }))).toBe('unknown');
    const { rows } = await inside((trx) =>
      pg<{
        seller: string;
        landed: number;
      }>`select seller, landed_cents::int as landed from offer_history where product_id = 'B1' order by seller`.execute(
        trx,
      ),
    );
    expect(rows).toEqual([
      { seller: 'K1', landed: 1400 },
      { seller: 'K2', landed: 1300 },
    ]);
    await repriceDue(deps());
    expect((await decided(1))?.arithmetic.competitors).toMatchObject([{ seller_id: 'K2', landed_cents: 1350 }]);
    await submitDue(deps());
  });

  it('REP-19 an item without limits is held with a reason, and an offer of one cent is ignored as implausible', async () => {
    await undercut(59);
    expect(await decided(59)).toMatchObject({
      price_cents: null,
      reason: 'HOLD_BOUNDS_INVALID',
      verdict: 'none',
      sent: null,
    });
    await receive(message(58, { TRAP: 0.01, K1: 14 }));
    await repriceDue(deps());
    expect(await decided(58)).toMatchObject({
      price_cents: 1399,
      arithmetic: { removed: [{ seller_id: 'TRAP', reason: 'IMPLAUSIBLE' }] },
    });
    await submitDue(deps());
  });

  it('REP-19 a throttled send waits as told, a refused one stores the reason, a locked-out one waits', async () => {
    later(60);
    for (const [n, mood] of [
      [3, 'invalid'],
      [4, 'broken'],
      [5, 'locked'],
      [2, 'throttled'],
    ] as const) {
      market.moods.set(`S${n}`, mood);
      await undercut(n);
    }
    expect(await state(3)).toMatchObject({ state: 'invalid', issues: [{ code: '90220', message: 'Preis fehlt' }] });
    expect(await state(4)).toMatchObject({ state: 'invalid', issues: [{ field: 'price' }] });
    expect(await state(5)).toMatchObject({ state: 'new', sends: 0, message: 'Zugang abgelehnt' });
    expect(await state(2)).toMatchObject({ state: 'new', sends: 0, sentAt: null });
    market.moods.delete('S2');
    later(5);
    expect(await submitDue(deps())).toBe(0);
    later(3);
    expect(await submitDue(deps())).toBe(1);
    expect(await state(2)).toMatchObject({ state: 'accepted', sends: 1 });
  });

  it('REP-19 a send without an answer is looked up first, and repeated only if the price is not there', async () => {
    later(60);
    market.moods.set('S6', 'late').set('S7', 'lost');
    market.prices.set('S7', 1500);
    await undercut(6);
    await undercut(7);
    expect([await state(6), await state(7)]).toMatchObject([{ state: 'unknown' }, { state: 'unknown' }]);
    expect(await submitDue(deps())).toBe(0);
    later(11);
    await readBackDue(deps());
    expect([await state(6), await state(7)]).toMatchObject([{ state: 'live', sends: 1 }, { state: 'unknown' }]);
    market.moods.delete('S7');
    later(130);
    await readBackDue(deps());
    expect(await state(7)).toMatchObject({ state: 'new' });
    await submitDue(deps());
    later(31);
    await readBackDue(deps());
    expect(await state(7)).toMatchObject({ state: 'live', sends: 2 });
    expect([sendsOf(6), sendsOf(7)]).toEqual([1, 1]);
  });

  it('REP-19 a price that a message shows live is ours; an older message does not replace a newer price', async () => {
    later(60);
    market.moods.set('S16', 'late');
    await undercut(16);
    later(3);
    await receive(message(16, { WIR: 13.99, K1: 14 }));
    expect([(await state(16))?.state, await own(16)]).toEqual(['live', 1399]);
    const told = clock.now();
    await undercut(17);
    later(31);
    await readBackDue(deps());
    expect(await receive(message(17, { WIR: 15, K1: 14 }, new Date(told.getTime() + 10_000)))).toBe('taken');
    expect([(await state(17))?.state, await own(17)]).toEqual(['live', 1399]);
  });

  it('REP-19 a decision overtaken by a send is repeated, not sent', async () => {
    await receive(message(18, { K1: 14 }));
    await repriceDue(deps());
    await receive(message(18, { K1: 13 }));
    // The previous price is sent between reading the facts and recording the decision.
    const look: MaterialisedFieldSource['look'] = async (...asked) => {
      await submitDue(deps());
      return deps().fields.look(...asked);
    };
    const fields: MaterialisedFieldSource = Object.assign(Object.create(deps().fields), { look });
    await repriceDue({ ...deps(), fields });
    expect(await state(18)).toMatchObject({ state: 'accepted' });
    await repriceDue(deps());
    expect(await decided(18)).toMatchObject({ price_cents: 1299, verdict: 'hold', held: 'IN_FLIGHT' });
  });

  it('REP-19 at most the requested number of items is taken from the queue, whatever the query planner does', async () => {
    while ((await repriceDue(deps())) > 0);
    for (let n = 20; n < 40; n++) await receive(message(n, { K1: 15.01 }));
    const taken = await inside((trx) => takeDue(trx, clock.now(), 7));
    expect(taken).toHaveLength(7);
    await inside((trx) => giveBack(trx, taken));
    expect(await repriceDue(deps())).toBe(20);
  });

  it('REP-19 an accepted price that never goes live is sent three more times, then invalid', async () => {
    market.moods.set('S8', 'never live');
    market.prices.set('S8', 1500);
    await undercut(8);
    expect(await own(8)).toBe(1399);
    for (let turn = 0; turn < 4; turn++) {
      later(16 * 60);
      await readBackDue(deps());
      await submitDue(deps());
    }
    expect(sendsOf(8)).toBe(4);
    expect(await state(8)).toMatchObject({ state: 'invalid', sends: 4 });
    // Our price is the one that the marketplace still shows; otherwise it would be sent again.
    expect(await own(8)).toBe(1500);
  });

  it('REP-19 a send of a process that died is marked unknown, not repeated blindly', async () => {
    await receive(message(9, { K1: 14 }));
    await repriceDue(deps());
    await inside((trx) =>
      pg`update price_submissions set state = 'sending', sends = 1, fence = 1, sent_at = ${clock.now().toISOString()}::timestamptz,
      lease_until = ${clock.now().toISOString()}::timestamptz where item = 'A-9'`.execute(trx),
    );
    later(1);
    expect(await submitDue(deps())).toBe(0);
    expect(await state(9)).toMatchObject({ state: 'unknown' });
  });

  it('REP-19 limits, stops and switches are checked again right before sending', async () => {
    await receive(message(10, { K1: 14 }));
    await repriceDue(deps());
    await inside((trx) =>
      saveRepricerRule(trx, place(), rule('Regel00002', 'Noch eine', ['von', 'bis', 'normal']), by),
    );
    expect(await submitDue(deps())).toBe(0);
    expect(await state(10)).toMatchObject({ state: 'held', held: 'LIMITS_CHANGED' });
    await repriceDue(deps());
    await inside((trx) => setStop(trx, company, true, 'Test'));
    expect(await submitDue(deps())).toBe(0);
    expect(await state(10)).toMatchObject({ state: 'held', held: 'STOPPED' });
    await undercut(10, 13);
    expect(await decided(10)).toMatchObject({ verdict: 'hold', held: 'STOPPED', price_cents: 1299 });
    await inside((trx) => setStop(trx, company, false, ''));
    expect(await undercut(10, 12.5)).toBe(1);
  });

  it('REP-19 one send at a time per item; a later decision replaces a waiting one', async () => {
    await receive(message(11, { K1: 14 }));
    await repriceDue(deps());
    await receive(message(11, { K1: 13.5 }));
    await repriceDue(deps());
    const { rows } = await inside((trx) =>
      pg`select state, held, price_cents from price_submissions where item = 'A-11' order by created_at, price_cents desc`.execute(
        trx,
      ),
    );
    expect(rows).toEqual([
      { state: 'held', held: 'SUPERSEDED', price_cents: 1399 },
      { state: 'new', held: '', price_cents: 1349 },
    ]);
    await submitDue(deps());
    expect(await undercut(11, 13)).toBe(0);
    expect(await decided(11)).toMatchObject({ verdict: 'hold', held: 'IN_FLIGHT' });
    const copy = pg`insert into price_submissions (company, id, master, marketplace, item, account, sku, decision, rule, limits_version, currency, price_cents, min_cents, max_cents, state, reached_min, created_at)
      select company, 'zweite', master, marketplace, item, account, sku, decision, rule, limits_version, currency, price_cents, min_cents, max_cents, 'sending', false, created_at from price_submissions where item = 'A-11' and state = 'accepted'`;
    await expect(inside((trx) => copy.execute(trx))).rejects.toThrow(/price_submissions_in_flight/);
  });

  it('REP-19 articles without messages are queried, and unknown ones not again at once', async () => {
    market.rivals.set('S56', 14).set('S57', 12);
    // The poll's answer has the time of its request, by the machine's clock.
    const [clock, log, plans] = [{ now: () => new Date() }, makeLog('silent'), new PollingPlans()];
    const polling = { ...deps(), clock, log, plans };
    expect(await pollOffers(polling)).toBe(2);
    expect(await pollOffers(polling)).toBe(0);
    await repriceDue(deps());
    expect(await decided(57)).toMatchObject({ price_cents: 1199, cause: expect.stringMatching(/^offers:sweep/) });
    // An offer that moves to another article knows nothing of the former article.
    const known = async () =>
      (await inside((trx) => pg`select offers_at, rivals from listings where item = 'A-57'`.execute(trx))).rows[0];
    expect(await known()).toEqual({ offers_at: expect.any(Date), rivals: '1K1' });
    const [moved] = await inside((trx) => listingsOf(trx, place(), 'M1', ['A-57']));
    if (moved !== undefined)
      await inside((trx) => saveListings(trx, place(), [{ ...moved, productId: 'B-neu' }], clock.now()));
    expect(await known()).toEqual({ offers_at: null, rivals: '' });
  });
});
