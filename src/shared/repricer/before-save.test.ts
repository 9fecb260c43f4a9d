import { describe, expect, it } from 'vitest';
import { contentKey, limitsQuestion } from './before-save.ts';
import { newRepricerRule, type RepricerAction, type RepricerRule } from './schema.ts';

const rule = (action: Partial<RepricerAction> = {}): RepricerRule => {
  const made = newRepricerRule('AAAAAAAAAA');
  return { ...made, name: 'Eins', action: { ...made.action, diff_price: '0.50', ...action } };
};
const field = (value: string) => ({ type: '_field' as const, value });

describe('a repricing rule before it is saved', () => {
  it('REP-19 the content key depends on what prices depend on, not on names, pauses or notation', () => {
    const renamed: RepricerRule = { ...rule(), name: 'Zwei', description: 'x', active: true };
    const key = contentKey(rule());
    expect(key).toMatch(/^[0-9a-f]{16}$/);
    expect(contentKey(renamed)).toBe(key);
    const same: Partial<RepricerAction>[] = [
      { diff_price: 0.5, strategy: '1', non_competition_strategy: 'repricer_price.worker_price' },
      { exclude_count_rank: '0', exclude_sellers: [{ name: 'leer', value: ' ' }] },
    ];
    for (const action of same) expect(contentKey(rule(action))).toBe(key);
    const seller = (name: string, value: string) => contentKey(rule({ exclude_sellers: [{ name, value }] }));
    expect(seller('a', 'x1 ')).toBe(seller('b', 'X1'));
    const others: Partial<RepricerAction>[] = [
      ...(['min_price', 'max_price', 'standard_price'] as const).map((member) => ({ [member]: field('x') })),
      { strategy: 2 },
      { diff_price: '0.51' },
      { diff_price: '' },
      { non_competition_strategy: 2 },
      { min_price_strategy: 3 },
      { exclude_count_rank: 5 },
      { exclude_count_reviews: 200 },
      { exclude_sellers: [{ name: '', value: 'X1' }] },
    ];
    const keys = others.map((action) => contentKey(rule(action)));
    expect(new Set([key, ...keys]).size).toBe(others.length + 1);
  });

  it('T26 only other price fields, starting or pausing a rule, a new active one or a new order may change limits', () => {
    const one = { ...rule(), active: true, action: { ...rule().action, min_price: field('a'), max_price: field('b') } };
    const first = { ...one, action: { ...one.action, standard_price: field('c') } };
    const second = { ...first, id: 'BBBBBBBBBB' };
    const paused = { ...second, id: 'CCCCCCCCCC', active: false };
    const asks = (before: RepricerRule[], after: RepricerRule[]) => limitsQuestion(before, after) !== undefined;
    const list = [first, second, paused];
    expect(asks(list, [{ ...first, name: 'Zwei' }, second, paused])).toBe(false);
    expect(asks(list, [{ ...first, action: { ...first.action, diff_price: '0.01' } }, second, paused])).toBe(false);
    // A copy is paused (REP-12), and a paused rule may be anywhere, or be deleted.
    expect(asks(list, [first, { ...paused, id: 'DDDDDDDDDD' }, second, paused])).toBe(false);
    expect(asks(list, [paused, first, second])).toBe(false);
    expect(asks(list, [first, second])).toBe(false);
    expect(asks(list, [second, first, paused])).toBe(true);
    expect(asks(list, [first, second, { ...paused, active: true }])).toBe(true);
    expect(asks(list, [{ ...first, action: { ...first.action, max_price: field('x') } }, second, paused])).toBe(true);
    expect(asks([], [first])).toBe(true);
    expect(limitsQuestion(list, [second, { ...paused, name: 'Neu' }])).toEqual({
      rules: [{ ...paused, name: 'Neu' }],
      order: [second.id, paused.id],
      gone: [first.id],
    });
  });
});
