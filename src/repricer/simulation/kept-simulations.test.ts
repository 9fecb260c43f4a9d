import { describe, expect, it } from 'vitest';
import { SimulationCache } from './kept-simulations.ts';
import type { Simulated } from './tally.ts';

const row: Simulated = {
  at: null,
  item: 'A-1',
  marketplace: 'M1',
  old_cents: 1500,
  new_cents: 1400,
  reason: 'COMPETE_LOWEST',
  target_seller_id: null,
  verdict: 'submit',
  held: '',
  cost_cents: null,
  margin_cents: null,
  old_margin_cents: null,
};
const counts = {
  total: 1,
  reasons: {},
  up: 0,
  down: 1,
  same: 0,
  fresh: 0,
  held: 0,
  loss: 0,
  margin: { items: 0, old_cents: 0, new_cents: 0, old_sales_cents: 0, new_sales_cents: 0 },
  cut: false,
};

describe('finished simulations', () => {
  const cached = () => {
    let now = 0;
    const simulations = new SimulationCache({ now: () => new Date(now) });
    const keep = (id: string, rows = 1) =>
      simulations.keep({
        id,
        at: new Date(now),
        requestKey: 'so',
        counts,
        rows: Array.from({ length: rows }, () => row),
      });
    const there = (ids: string) =>
      ids
        .split('')
        .filter((id) => simulations.find(id, 'so') !== undefined)
        .join('');
    return { simulations, keep, there, later: (minutes: number) => (now += minutes * 60_000) };
  };

  it('REP-19 are found while they are used, and only by the same request', () => {
    const { simulations, keep, there, later } = cached();
    keep('a');
    keep('b');
    later(10);
    expect(there('a')).toBe('a');
    later(10);
    expect(there('ab')).toBe('a');
    expect(simulations.find('a', 'anders')).toBeUndefined();
    expect(there('a')).toBe('');
  });

  it('REP-19 are bounded in number and rows; the least recently used is dropped first', () => {
    const { keep, there } = cached();
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) keep(id);
    expect(there('a')).toBe('a');
    keep('i');
    expect(there('abcdefghi')).toBe('acdefghi');
    keep('j', 250_000);
    expect(there('acdefghij')).toBe('j');
    keep('k', 250_001);
    expect(there('jk')).toBe('j');
  });
});
