import { describe, expect, it } from 'vitest';
import { newRepricerRule, type RepricerRule } from '#shared/repricer/schema.ts';
import { LimitCounter } from './limit-change.ts';

const field = (value: string) => ({ type: '_field' as const, value });
const rule = (id: string, [min, max, standard]: [string, string, string], active = true): RepricerRule => {
  const made = newRepricerRule(id);
  const prices = { min_price: field(min), max_price: field(max), standard_price: field(standard) };
  return { ...made, name: id, active, action: { ...made.action, diff_price: '0.01', ...prices } };
};
const items = {
  full: { von: '10,00', tief: '4,99', bis: '20,00', normal: '15,00', nur: '9,00' },
  other: { von: '10,00', tief: '5,00', bis: '20,00', normal: '15,00', nur: null },
  unread: { von: 'x', tief: '9,00', bis: '20,00', normal: '15,00', nur: '9,00' },
};
const movesOf = (before: RepricerRule[], rules: RepricerRule[], order: string[] = [], removed: string[] = []) => {
  const counter = new LimitCounter(before, { rules, order, gone: removed });
  for (const [item, fields] of Object.entries(items)) counter.add({ item, marketplace: 'M1' }, fields);
  return counter.change;
};
const none = { up: 0, down: 0, halved: 0, come: 0, gone: 0 };

describe('the changes of price limits by a save', () => {
  const first = rule('Erste00000', ['von', 'bis', 'normal']);
  const lower = rule('Erste00000', ['tief', 'bis', 'normal']);
  const fallen = {
    concerned: 3,
    min: { up: 0, down: 2, halved: 1, come: 1, gone: 0 },
    max: none,
    standard: none,
    steepest: { item: 'full', marketplace: 'M1', from_cents: 1000, to_cents: 499 },
  };

  it('REP-19 T26 every direction of every limit is counted, falls by more than half separately', () => {
    expect(movesOf([first], [lower])).toEqual(fallen);
    expect(movesOf([lower], [first])).toMatchObject({ min: { up: 2, gone: 1 }, steepest: null });
    expect(movesOf([first], [{ ...first, name: 'Neu', action: { ...first.action, strategy: 2 } }]).concerned).toBe(0);
  });

  it('REP-19 T26 a paused rule counts like a running one; pausing, starting or adding a rule changes nothing', () => {
    const paused = { ...first, active: false };
    expect(movesOf([paused], [{ ...lower, active: false }])).toEqual(fallen);
    expect(movesOf([paused], [lower])).toEqual(fallen);
    expect(movesOf([paused], [first]).concerned).toBe(0);
    expect(movesOf([first], [paused]).concerned).toBe(0);
    expect(movesOf([], [first]).concerned).toBe(0);
  });

  it('REP-03 T26 a rule put before another, or one that gives up its items, changes their limits', () => {
    const second = rule('Zweite0000', ['nur', 'bis', 'normal']);
    expect(movesOf([first], [second]).concerned).toBe(0);
    expect(movesOf([first], [second], [second.id, first.id])).toMatchObject({
      concerned: 2,
      min: { down: 1, come: 1 },
    });
    expect(movesOf([second, first], [{ ...second, active: false }])).toMatchObject({
      concerned: 2,
      min: { up: 1, gone: 1 },
    });
  });

  it('REP-03 REP-18 T26 sorting and deleting change limits if another active rule then prices an item', () => {
    const second = rule('Zweite0000', ['nur', 'bis', 'normal']);
    const both = [first, second];
    expect(movesOf(both, [], [second.id, first.id])).toMatchObject({ concerned: 2, min: { down: 1, come: 1 } });
    expect(movesOf(both, [], [first.id, second.id]).concerned).toBe(0);
    expect(movesOf([first, { ...second, active: false }], [], [second.id, first.id]).concerned).toBe(0);
    // Without the first rule only the second prices: `other` has nothing in its field, so its minimum is gone.
    expect(movesOf(both, [], [], [first.id])).toMatchObject({ concerned: 3, min: { down: 1, come: 1, gone: 1 } });
    expect(movesOf(both, [], [], [second.id]).concerned).toBe(0);
    expect(movesOf([first], [], [], [first.id]).concerned).toBe(0);
  });

  it('T26 restoring an older state of all rules is counted as a whole: changes, order, removals and returns', () => {
    const second = rule('Zweite0000', ['nur', 'bis', 'normal']);
    expect(movesOf([first], [second], [second.id], [first.id])).toMatchObject({
      concerned: 3,
      min: { down: 1, come: 1, gone: 1 },
    });
    expect(movesOf([second], [lower], [lower.id, second.id])).toMatchObject({
      concerned: 2,
      min: { down: 1, come: 1 },
    });
  });
});
