import { describe, expect, it } from 'vitest';
import { type SimulationInput, type Simulated, SimulationTally } from './tally.ts';
import { newRepricerRule } from '#shared/repricer/schema.ts';

const row = (item: string, old: number | null, price: number | null, part: Partial<Simulated> = {}): Simulated => ({
  at: null,
  item,
  marketplace: 'M1',
  old_cents: old,
  new_cents: price,
  reason: price === null ? 'HOLD_BOUNDS_INVALID' : 'COMPETE_LOWEST',
  target_seller_id: null,
  verdict: price === null ? 'none' : 'submit',
  held: '',
  cost_cents: 800,
  margin_cents: price === null ? null : price - 800,
  old_margin_cents: old === null ? null : old - 800,
  ...part,
});
const tallied = (rows: readonly Simulated[], part: Partial<SimulationInput> = {}) => {
  const rule = newRepricerRule('AAAAAAAAAA');
  const tally = new SimulationTally({ rule, cost_field: 'ek', offset: 0, limit: 50, on: 'now', days: 7, ...part });
  for (const one of rows) tally.add(one);
  return tally.answer();
};

describe('the totals and the order of a simulation', () => {
  const rows = [
    row('same', 1000, 1000, { verdict: 'unchanged' }),
    row('none', 1000, null),
    row('stopped', 1000, 900, { verdict: 'hold', held: 'OFFERS_OLD' }),
    row('up', 1000, 1100),
    row('down', 2000, 1500),
    row('first', null, 1500),
    row('loss', 810, 790),
  ];

  it('REP-19 losses come first, then the largest changes; held and unchanged prices come last', () => {
    expect(tallied(rows).rows.map(({ item }) => item)).toEqual([
      'loss',
      'down',
      'up',
      'first',
      'none',
      'stopped',
      'same',
    ]);
    const down = tallied(rows, { move: 'down', offset: 1, limit: 1 });
    expect([down.rows.map(({ item }) => item), down.matching, down.total]).toEqual([['down'], 2, 7]);
    expect(tallied(rows, { move: 'held', reason: 'HOLD_BOUNDS_INVALID' })).toMatchObject({ matching: 1, held: 2 });
  });

  it('REP-19 margins before and after refer to the same items; held items keep their price', () => {
    expect(tallied(rows)).toMatchObject({ up: 1, down: 2, same: 1, fresh: 1, held: 2, loss: 1 });
    expect(tallied(rows).margin).toEqual({
      items: 6,
      old_cents: 200 + 200 + 200 + 200 + 1200 + 10,
      new_cents: 200 + 200 + 200 + 300 + 700 - 10,
      old_sales_cents: 6810,
      new_sales_cents: 6390,
    });
  });

  it('REP-19 a page of many rows equals the same part of the complete list', () => {
    const many = Array.from({ length: 5000 }, (_, n) =>
      row(`A-${String(n).padStart(4, '0')}`, 5000, 1000 + ((n * 37) % 4000)),
    );
    const all = tallied(many, { limit: 5000 });
    expect(tallied(many, { offset: 40, limit: 25 }).rows).toEqual(all.rows.slice(40, 65));
  });
});
