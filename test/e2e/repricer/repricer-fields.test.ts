import { holdOutgoing, releaseOutgoing } from '#platform/installation-facts.ts';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { saveMappings } from '#feed/stages/assignments/store.ts';
import { MaterialisedFields } from '#feed/materialised-fields/materialised-fields.ts';
import { askLimitsReview } from '#catalogue/limits-review.ts';
import { saveRules } from '#feed/stages/rules/store.ts';
import { pg } from '#platform/db/pg.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import { noMetrics } from '#platform/telemetry/metrics.ts';
import { decisionsOf } from '#repricer/record/decisions.ts';
import { fieldsStateOf } from '#repricer/decide/fields-state.ts';
import { CatalogueChanges } from '#repricer/queue/catalogue-changes.ts';
import { SimulationCache } from '#repricer/simulation/kept-simulations.ts';
import { versionNow } from '#repricer/model/pricing-inputs-version.ts';
import { changedPriceBounds } from '#repricer/rules/changed-price-bounds.ts';
import { repriceDue } from '#repricer/decide/reprice.ts';
import { priceComparisonsOf } from '#repricer/price-comparison.ts';
import { simulateNow } from '#repricer/simulation/simulate.ts';
import { simulate } from '#repricer/simulation/simulate-kept.ts';
import { confirmLimits } from '#repricer/control/state.ts';
import { submitDue } from '#repricer/outbox/submit.ts';
import { RepricerWorker } from '#repricer/worker.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { makePriceWorld, type PriceWorld } from '../../stages/repricer/price-world.ts';
import { exclude, rule, when } from '../../stages/feed/rules.ts';
import { floor, out, standards, repricing } from '../../stages/repricer/field-rules.ts';

const ITEMS = 8;
describe('prices based on fields after the master rules', () => {
  let world: PriceWorld;
  const author = { author: 'Test', expected: undefined };
  const rules = (list: readonly Rule[]) =>
    world.inside((trx) =>
      saveRules(trx, { company: world.company, scope: `master:${world.masterid}` }, list, 'Test', undefined),
    );
  const mapped = (price: string) => world.inside((trx) => saveMappings(trx, world.place, [standards(price)], author));
  /** Decides what is due, once its fields are computed. */
  const decide = async () => {
    await repriceDue(world.deps);
    await expect.poll(() => world.deps.fields.underWay(), { interval: 20 }).toEqual([]);
    await repriceDue(world.deps);
  };
  const offered = async (n: number, offers: Record<string, number>) => {
    await world.receive(world.message(n, offers));
    await decide();
    return world.decided(n);
  };
  const state = () => fieldsStateOf(world.deps, world.place);
  const files = () => readdir(world.storagePaths.materialisedFolder(world.company, world.masterid)).catch(() => []);
  const simulated = () =>
    simulateNow(
      world.deps,
      world.place,
      { rule: repricing, cost_field: 'ek', offset: 0, limit: 50, on: 'now', days: 7 },
      new AbortController().signal,
    );

  beforeAll(async () => {
    const rows = Array.from({ length: ITEMS }, (_, n) => `A-${n};9,00;20,00;12,00;15,00;${n === 3 ? 'raus' : 'a'}`);
    world = await makePriceWorld(['sku;ek;bis;von;normal;gruppe', ...rows].join('\n'), ITEMS, [repricing]);
    await rules([floor('1.3'), out]);
    await mapped('15.00');
  });
  afterAll(() => world.close());

  it('REP-19 a minimum computed by a master rule is respected, and no price is decided before it is computed', async () => {
    await world.receive(world.message(0, { K1: 11 }));
    expect(await state()).toMatchObject({ kind: 'building', since: null });
    await repriceDue(world.deps);
    expect(await world.decided(0)).toBeUndefined();
    await decide();
    expect(await state()).toMatchObject({ kind: 'ready' });
    expect(await world.decided(0)).toMatchObject({
      reason: 'BELOW_MIN_TO_MIN',
      price_cents: 1170,
      arithmetic: { min_cents: 1170, standard_cents: 1500, max_cents: 2000 },
      masterRules: 1,
      mappings: 1,
    });
    // A restored system sends no price until it is released.
    await world.deps.database.system((trx) => holdOutgoing(trx, '2026-01-01T00:00:00.000Z', new Date()));
    expect(await submitDue(world.deps)).toBe(0);
    await world.deps.database.system(releaseOutgoing);
    expect(await submitDue(world.deps)).toBe(1);
    expect(world.market.prices.get('S0')).toBe(1170);
    expect((await priceComparisonsOf(world.deps, world.place, 'A-0', undefined))[0]).toMatchObject({
      min: 1170,
      standard: 1500,
    });
  });

  it('REP-19 an item that a master rule excludes is held with that reason, in the simulation too', async () => {
    expect(await offered(3, { K1: 14 })).toMatchObject({
      reason: 'HOLD_ITEM_EXCLUDED',
      price_cents: null,
      verdict: 'none',
    });
    await offered(4, { K1: 14 });
    expect((await simulated()).reasons).toMatchObject({ HOLD_ITEM_EXCLUDED: 1, COMPETE_LOWEST: 1 });
  });

  it('REP-19 every save of a master rule re-decides waiting prices with its limits', async () => {
    expect(await offered(1, { K1: 11 })).toMatchObject({ price_cents: 1170, sent: { state: 'new' } });
    await rules([floor('1.4'), out]);
    expect(await submitDue(world.deps)).toBe(0);
    expect(await world.decided(1)).toMatchObject({ sent: { state: 'held', held: 'LIMITS_CHANGED' } });
    await decide();
    expect(await world.decided(1)).toMatchObject({ price_cents: 1260, arithmetic: { min_cents: 1260 } });
    const before = await files();
    await rules([floor('1.4', { active: false }), out]);
    expect(await submitDue(world.deps)).toBe(0);
    await decide();
    expect(await world.decided(1)).toMatchObject({ reason: 'HOLD_BOUNDS_INVALID', arithmetic: { min_cents: null } });
    expect((await files()).length).toBe(before.length + 1);
    // A save that does not affect these fields computes nothing; a file unused for long is deleted.
    await rules([floor('1.4'), out, rule('Titel', [when('@ALL@', 'contains', '')], [])]);
    world.later(3 * 60 * 60);
    expect(await offered(1, { K1: 13 })).toMatchObject({ price_cents: 1299, arithmetic: { min_cents: 1260 } });
    await rules([floor('1.35'), out]);
    await offered(1, { K1: 13 });
    expect((await files()).length).toBe(2);
  });

  it('REP-19 a mapping provides the standard price; the worker re-decides only when values change', async () => {
    expect(await offered(2, {})).toMatchObject({ reason: 'NO_COMPETITION', price_cents: 1500 });
    const worker = new RepricerWorker({ ...world.deps, metrics: noMetrics });
    const looks = vi.spyOn(world.deps.fields, 'identity');
    /** Waits until the worker has checked after the change, whatever its other checks. */
    const noticed = async (change: Promise<unknown>) => {
      await change;
      const before = looks.mock.calls.length;
      world.later(31);
      await expect.poll(() => looks.mock.calls.length, { interval: 50 }).toBeGreaterThan(before);
    };
    const becomes = (price_cents: number) =>
      expect.poll(() => world.decided(2), { interval: 50 }).toMatchObject({ cause: 'catalogue', price_cents });
    worker.start();
    // Changes from before its start are decided anew.
    await becomes(1500);
    await noticed(mapped('16.00'));
    await becomes(1600);
    await noticed(rules([floor('1.35'), out, rule('Titel', [when('@ALL@', 'contains', '')], [])]));
    await noticed(mapped('17.00'));
    await becomes(1700);
    await worker.close();
    const told = await world.inside((trx) => decisionsOf(trx, world.place, 'A-2', { limit: 10 }));
    // The number of decisions before the first change depends on what else was due when the worker started, and on waiting
    // prices.
    const noticedPrices = told.filter(({ cause }) => cause === 'catalogue').map(({ price_cents }) => price_cents);
    expect(noticedPrices.slice(0, 3)).toEqual([1700, 1600, 1500]);
  });

  it('REP-04 the editor offers fields made by rules and mappings, with an example value after them', async () => {
    const fields = await world.deps.fields.offered(world.place);
    expect(fields.find(({ value }) => value === 'mindest')).toMatchObject({ origin: '', example: '12.15' });
    expect(fields.find(({ type }) => type === '_mapping')).toMatchObject({
      value: '_mapping:Standard',
      example: '17.00',
    });
    expect(fields.find(({ value }) => value === 'von')).toMatchObject({ origin: 'import', example: '12,00' });
  });

  it('REP-19 fields that cannot be computed hold every price, are notified, and are retried', async () => {
    const folder = world.storagePaths.materialisedFolder(world.company, world.masterid);
    await rm(folder, { recursive: true });
    await writeFile(folder, '');
    await rules([floor('1.3', { name: 'kaputt' }), out]);
    expect(await offered(5, { K1: 11 })).toMatchObject({ reason: 'HOLD_FIELDS_FAILED', price_cents: null });
    expect(await submitDue(world.deps)).toBe(0);
    const { rows } = await world.inside((trx) =>
      pg<{ title: string }>`select title from notifications where event = 'failed'`.execute(trx),
    );
    expect(rows).toEqual([{ title: 'Fehlgeschlagen: Preisfelder für den Repricer' }]);
    await expect(simulated()).rejects.toThrow('ließen sich nicht ausrechnen');
    const again = new Date(world.clock.now().getTime() + 5 * 60_000);
    const told = await state();
    expect(told).toMatchObject({ kind: 'failed', message: null });
    expect(Math.abs(Date.parse(told.again ?? '') - again.getTime())).toBeLessThan(60_000);
    // Another process, which decides no prices, knows it from the notification.
    const elsewhere = {
      ...world.deps,
      fields: new MaterialisedFields({ ...world.deps, storagePaths: world.storagePaths, log: makeLog('silent') }),
    };
    expect(await fieldsStateOf(elsewhere, world.place)).toMatchObject({ kind: 'failed', again: null });
    await rm(folder);
    expect(await offered(5, { K1: 11 })).toMatchObject({ reason: 'HOLD_FIELDS_FAILED' });
    world.later(5 * 60 + 1);
    expect(world.deps.fields.mayTryAgain(world.place)).toBe(true);
    expect(await offered(5, { K1: 11 })).toMatchObject({ price_cents: 1170 });
    expect(await state()).toMatchObject({ kind: 'ready' });
  });

  it('REP-19 a catalogue whose rules do not touch the price fields is read as imported', async () => {
    await rm(world.storagePaths.materialisedFolder(world.company, world.masterid), { recursive: true });
    await rules([
      rule(
        'Titel',
        [when('@ALL@', 'contains', '')],
        [{ field: 'titel', select: 'copy', value: [{ type: '_field', value: 'gruppe' }] }],
      ),
    ]);
    const names = new Set(['von', 'bis', 'normal']);
    const basis = { snapshot: 1, rules: 8, mappings: 3 };
    expect(await world.deps.fields.look(world.place, basis, names)).toMatchObject({
      kind: 'ready',
      source: { kept: undefined },
    });
    expect(await files()).toEqual([]);
  });

  it('REP-19 T26 strongly moved limits are listed with the offers that wait for a review, until they are confirmed', async () => {
    await rules([floor('0.6'), out]);
    const moved = () => world.inside((trx) => changedPriceBounds(trx, world.place, world.clock.now()));
    expect(await moved()).toBeNull();
    expect(await offered(0, { K1: 9 })).toMatchObject({ verdict: 'hold', held: 'LIMITS_MOVED' });
    expect(await moved()).toEqual({
      items: 1,
      more: false,
      review: '',
      examples: [
        {
          item: 'A-0',
          marketplace: 'M1',
          old: { min_cents: 1170, max_cents: 2000 },
          now: { min_cents: 540, max_cents: 2000 },
        },
      ],
    });
    // A save that changes no value triggers no new decisions: these offers still wait.
    const changes = new CatalogueChanges(world.deps);
    await changes.look();
    await decide();
    const waiting = await moved();
    expect(waiting?.items).toBeGreaterThan(0);
    await rules([floor('0.6'), out, rule('Pause', [when('@ALL@')], [exclude], { active: false })]);
    await changes.look();
    await decide();
    expect(await moved()).toEqual(waiting);
    await world.inside(async (trx) =>
      confirmLimits(trx, world.place, { version: await versionNow(trx, world.place), author: 'Test' }),
    );
    expect(await moved()).toBeNull();
    expect((await offered(0, { K1: 9 }))?.held).not.toBe('LIMITS_MOVED');
  });

  it('M11 T26 after a change by a user without the right to prices even a limit moved by a cent needs a review', async () => {
    const confirm = () =>
      world.inside(async (trx) =>
        confirmLimits(trx, world.place, { version: await versionNow(trx, world.place), author: 'Test' }),
      );
    await rules([floor('1.3'), out]);
    expect((await offered(0, { K1: 19.1 }))?.held).not.toBe('LIMITS_MOVED');
    await world.inside((trx) => askLimitsReview(trx, world.place, 'Jemand hat importiert.'));
    await rules([floor('1.301'), out]);
    expect(await offered(0, { K1: 19.2 })).toMatchObject({ verdict: 'hold', held: 'LIMITS_MOVED' });
    expect(await world.inside((trx) => changedPriceBounds(trx, world.place, world.clock.now()))).toMatchObject({
      items: 1,
      review: 'Jemand hat importiert.',
    });
    await confirm();
    expect((await offered(0, { K1: 19.3 }))?.held).not.toBe('LIMITS_MOVED');
    await rules([floor('1.302'), out]);
    expect((await offered(0, { K1: 19.4 }))?.held).not.toBe('LIMITS_MOVED');
  });

  it('REP-19 pages of a simulation use the same rows whatever offers arrive; changed values start a new one', async () => {
    const simulations = new SimulationCache(world.clock);
    const asked = { rule: repricing, cost_field: 'ek', offset: 0, limit: 50, on: 'now' as const, days: 7 };
    const ask = (part: Partial<Parameters<typeof simulate>[2]> = {}) =>
      simulate({ ...world.deps, simulations }, world.place, { ...asked, ...part }, new AbortController().signal);
    const first = await ask();
    const { id, rows } = first.answer;
    await world.receive(world.message(4, { K1: 9 }));
    const page = await ask({ simulation: id, offset: 1, limit: 2 });
    expect(page).toEqual({ isNew: false, answer: { ...first.answer, rows: rows.slice(1, 3) } });
    const excluded = await ask({ simulation: id, reason: 'HOLD_ITEM_EXCLUDED' });
    expect(excluded.answer).toMatchObject({ id, matching: 1, rows: [{ item: 'A-3' }], total: ITEMS });
    await rules([floor('0.7'), out]);
    const anew = await ask({ simulation: id });
    expect([anew.isNew, anew.answer.id === id]).toEqual([true, false]);
    expect((await ask({ simulation: anew.answer.id, rule: { ...repricing, name: 'Heißt anders' } })).isNew).toBe(false);
    expect((await ask({ simulation: anew.answer.id, cost_field: '' })).isNew).toBe(true);
  });
});
