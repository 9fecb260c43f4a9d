import { describe, expect, it } from 'vitest';
import { contentKey, mayMoveLimits } from './repricer-before-save.ts';
import { newRepricerRule, type RepricerAction, type RepricerRule } from './repricer.ts';

const rule = (action: Partial<RepricerAction> = {}): RepricerRule => {
  const made = newRepricerRule('AAAAAAAAAA');
  return { ...made, name: 'Eins', action: { ...made.action, diff_price: '0.50', ...action } };
};
const field = (value: string) => ({ type: '_field' as const, value });

describe('what is known of a repricing rule before it is saved', () => {
  it('REP-19 the key of a content stands for what prices depend on, not for names, pauses or how a choice is written', () => {
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

  it('T26 only other fields, a pause that ends or begins, or a new rule that runs can move limits', () => {
    expect(mayMoveLimits(rule(), { ...rule({ diff_price: '0.01' }), name: 'Zwei' })).toBe(false);
    expect(mayMoveLimits(rule(), rule({ max_price: field('x') }))).toBe(true);
    expect(mayMoveLimits(rule(), { ...rule(), active: true })).toBe(true);
    expect([mayMoveLimits(undefined, rule()), mayMoveLimits(undefined, { ...rule(), active: true })]).toEqual([
      false,
      true,
    ]);
  });
});
