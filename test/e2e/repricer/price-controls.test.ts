import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database, Trx } from '#platform/db/database.ts';
import { noMetrics } from '#platform/telemetry/metrics.ts';
import { openBreakers, releaseBreakers } from '#repricer/control/breakers.ts';
import { decisionsOf } from '#repricer/record/decisions.ts';
import { repriceDue } from '#repricer/decide/reprice.ts';
import { endRestore, previewRestore, startRestore } from '#repricer/control/restore.ts';
import { priceComparisonsOf } from '#repricer/price-comparison.ts';
import { simulateNow as simulate } from '#repricer/simulation/simulate.ts';
import { simulateHistory } from '#repricer/simulation/simulate-history.ts';
import { readBackDue, submitDue } from '#repricer/outbox/submit.ts';
import { RepricerWorker } from '#repricer/worker.ts';
import { undercutting as rule } from '../../stages/repricer/offer-message.ts';
import type { PriceMarket } from '../../stages/repricer/price-market.ts';
import { makePriceWorld, type PriceWorld } from '../../stages/repricer/price-world.ts';

const ITEMS = 60;

describe('controls of prices', () => {
  let world: PriceWorld;
  let database: Database;
  let market: PriceMarket;
  const clock = { now: () => world.clock.now() };
  const later = (seconds: number) => world.later(seconds);
  const deps = () => world.deps;
  const inside = <T>(work: (trx: Trx) => Promise<T>) => world.inside(work);
  const place = () => world.place;

  beforeAll(async () => {
    const rows = Array.from({ length: ITEMS }, (_, n) => `A-${n};10,00;20,00;${n === 59 ? '' : '15,00'};8,00`);
    world = await makePriceWorld(['sku;von;bis;normal;ek', ...rows].join('\n'), ITEMS, [
      rule('Empty00000', 'Gilt für keinen', ['gibt es nicht', 'bis', 'normal']),
      rule('Regel00001', 'Unterbieten', ['von', 'bis', 'normal']),
    ]);
    ({ database, market } = world);
    // Offers that the simulation finds: of A-0 twice, between which its price went live; those of are not decided.
    await undercut(59);
    await undercut(0);
    later(31);
    await readBackDue(deps());
    await receive(message(0, { WIR: 13.99, K1: 14 }));
    await repriceDue(deps());
    for (const n of [8, 9]) await receive(message(n, { K1: 14 }));
  });
  afterAll(() => world.close());

  const message = (n: number, offers: Record<string, number>, at = clock.now()) => world.message(n, offers, at);
  const receive = (given: unknown) => world.receive(given);
  const decided = (n: number) => world.decided(n);
  const undercut = (n: number, amount = 14) => world.undercut(n, amount);
  const state = async (n: number) => (await decided(n))?.sent;

  it('REP-19 a rule is simulated on the stored offers: counts by reason, pages, margins', async () => {
    const asked = {
      rule: { ...rule('Versuch001', 'x', ['von', 'bis', 'normal']), active: false },
      cost_field: 'ek',
      offset: 0,
      limit: 3,
      on: 'now' as const,
      days: 7,
    };
    const signal = new AbortController().signal;
    const all = await simulate(deps(), place(), asked, signal);
    const byReason = Object.values(all.reasons).reduce((sum, n) => sum + n, 0);
    expect([all.total, byReason, all.rows.length]).toEqual([ITEMS, ITEMS, 3]);
    const down = await simulate(deps(), place(), { ...asked, move: 'down', limit: 50 }, signal);
    expect([down.matching, down.rows.length, down.total]).toEqual([all.down, all.down, ITEMS]);
    expect(down.rows.find(({ item }) => item === 'A-9')).toMatchObject({
      reason: 'COMPETE_LOWEST',
      new_cents: 1399,
      margin_cents: 599,
      old_margin_cents: 700,
    });
    expect(all.rows.slice(0, 2)).toEqual(down.rows.slice(0, 2));
    expect(all.up + all.down + all.same + all.held).toBe(ITEMS);
    expect(all.margin).toMatchObject({ items: ITEMS, old_cents: all.margin.old_sales_cents - ITEMS * 800 });
    const held = await simulate(deps(), place(), { ...asked, reason: 'HOLD_BOUNDS_INVALID', limit: 50 }, signal);
    expect([held.rows.map(({ item }) => item), held.reasons]).toEqual([['A-59'], all.reasons]);
    const unfinished = { ...asked.rule, action: { ...asked.rule.action, strategy: '' } };
    const paused = await simulate(deps(), place(), { ...asked, rule: unfinished }, signal);
    expect(paused.reasons).toEqual({ HOLD_RULE_INCOMPLETE: ITEMS });
    const dearer = { ...asked.rule, action: { ...asked.rule.action, diff_price: '0.50' } };
    const past = { ...asked, rule: dearer, on: 'history' as const, item: 'A-0' };
    const replayed = await simulateHistory(deps(), place(), past, signal);
    expect(replayed).toMatchObject({ total: 2, reasons: { COMPETE_LOWEST: 2 }, down: 2, cut: false });
    expect(replayed.rows.at(-1)).toMatchObject({ item: 'A-0', old_cents: 1399, new_cents: 1350 });
    // Of a long history of articles that are no longer ours only so much is read.
    const few = { simulated: 10, read: 1, piece: 1 };
    expect(await simulateHistory(deps(), place(), past, signal, few)).toMatchObject({ total: 1, cut: true });
    later(8 * 24 * 60 * 60);
    expect(await simulateHistory(deps(), place(), past, signal)).toMatchObject({ total: 0 });
    later(-8 * 24 * 60 * 60);
  });

  it("REP-19 an item's own price, limits, best competitor and box are listed per marketplace", async () => {
    await receive(message(14, { WIR: 14.99, K1: 14, K2: 14.5 }));
    const bounds = { min: 1000, standard: 1500, max: 2000, currency: 'EUR' };
    const others = { bestCompetitor: 1400, buyBox: null, at: clock.now().toISOString() };
    expect(await priceComparisonsOf(deps(), place(), 'A-14', undefined)).toEqual([
      { ...bounds, ...others, own: 1499, shown: 1499, marketplace: 'M1', box: 'none', ownShipping: 0 },
    ]);
    expect(await priceComparisonsOf(deps(), place(), 'keiner', undefined)).toEqual([]);
    expect(await database.company('another', (trx) => decisionsOf(trx, place(), 'A-0', { limit: 10 }))).toEqual([]);
  });

  it('REP-19 many prices that fall at once trip a breaker that holds everything until somebody releases it', async () => {
    later(3 * 60 * 60);
    const before = market.came.length;
    for (let n = 20; n < 55; n++) await receive(message(n, { K1: 13 }));
    await repriceDue(deps());
    expect(await submitDue(deps())).toBe(0);
    expect(market.came.length).toBe(before);
    expect(await inside((trx) => openBreakers(trx, place()))).toMatchObject([{ kind: 'catalogue' }]);
    expect(await state(30)).toMatchObject({ state: 'held', held: 'BREAKER' });
    await undercut(30, 13.1);
    expect(await decided(30)).toMatchObject({ verdict: 'hold', held: 'BREAKER' });
    await inside((trx) => releaseBreakers(trx, place(), { by: 'Test', reason: 'geprüft', now: clock.now() }));
    later(1);
    expect(await undercut(30, 13.2)).toBe(1);
    expect(market.came.every(({ inBounds }) => inBounds)).toBe(true);
  });

  it('REP-19 the last good prices are restored through the same gate, whatever the rules say, until it ends', async () => {
    const restore = { id: 'r', moment: clock.now(), reason: 'Regel falsch', author: 'Test', startedAt: clock.now() };
    later(60 * 60);
    expect(await undercut(0, 12)).toBe(1);
    later(6 * 60);
    await readBackDue(deps());
    expect(await inside((trx) => previewRestore(trx, place(), restore.moment))).toMatchObject({
      total: ITEMS,
      changed: 1,
      rows: [{ item: 'A-0', from_cents: 1199, to_cents: 1399 }],
    });
    await inside((trx) => startRestore(trx, place(), restore));
    // A message meanwhile does not reactivate the rule; an offer that was never changed is left alone.
    expect([await undercut(0, 11), await undercut(55, 12), market.prices.get('S0')]).toEqual([1, 0, 1399]);
    expect(await decided(0)).toMatchObject({ reason: 'RESTORED', cause: 'restore:Regel falsch', verdict: 'submit' });
    await inside((trx) => endRestore(trx, place(), 'Test', clock.now()));
    later(6 * 60);
    await readBackDue(deps());
    expect(await undercut(0, 12)).toBe(1);
    expect(await decided(0)).toMatchObject({ reason: 'COMPETE_LOWEST', price_cents: 1199 });
  });

  it('REP-19 the worker runs the whole chain by itself', async () => {
    later(60 * 60);
    const worker = new RepricerWorker({ ...deps(), metrics: noMetrics });
    worker.start();
    market.moods.clear();
    await receive(message(15, { K1: 14.2 }));
    await expect.poll(() => market.prices.get('S15'), { timeout: 20_000, interval: 100 }).toBe(1419);
    await worker.close();
    const decisions = await inside((trx) => decisionsOf(trx, place(), 'A-15', { limit: 10 }));
    expect(decisions.flatMap(({ sent }) => sent?.state ?? [])).toContain('accepted');
  });
});
