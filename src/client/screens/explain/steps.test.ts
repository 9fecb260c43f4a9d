import { describe, expect, it } from 'vitest';
import type { ExplainedRule } from '#shared/explain/schema.ts';
import { groupsOf, hasEffect } from './steps.ts';

const rule = (number: number, parts: Partial<ExplainedRule> = {}): ExplainedRule => ({
  scope: 'master',
  ruleId: `Rule${number}`,
  number,
  name: '',
  sentence: '',
  state: 'not_held',
  conditions: [],
  failed: 0,
  excluded: false,
  changes: [],
  concerns: true,
  ...parts,
});
const change = { field: 'preis', before: '1', after: '2', sentences: [], notCalculated: false, concerns: true };
const effective = (number: number, parts: Partial<typeof change> = {}) =>
  rule(number, { state: 'held', failed: null, changes: [{ ...change, ...parts }] });

describe('rules of an explanation', () => {
  it('folds rules without effect between the rules with an effect, in their order', () => {
    const rules = [
      rule(1),
      rule(2, { state: 'paused' }),
      effective(3),
      rule(4),
      rule(5, { state: 'held', excluded: true, failed: null }),
      rule(6, { state: 'not_reached' }),
      rule(7, { state: 'not_reached' }),
    ];
    const numbers = groupsOf(rules).map((group) =>
      group.kind === 'rule' ? group.rule.number : group.rules.map((one) => one.number),
    );
    expect(numbers).toEqual([[1, 2], 3, [4], 5, [6, 7]]);
  });

  it('rules that the item did not reach are folded separately from rules without effect before them', () => {
    const groups = groupsOf([rule(1), rule(2, { state: 'not_reached' })]);
    expect(groups.map(({ kind }) => kind)).toEqual(['fold', 'fold']);
  });

  it('a rule that wrote the same value, or another field than the one asked about, had no effect', () => {
    expect(hasEffect(effective(1))).toBe(true);
    expect(hasEffect(effective(1, { after: '1' }))).toBe(false);
    expect(hasEffect(effective(1, { concerns: false }))).toBe(false);
    expect(hasEffect({ ...effective(1), concerns: false })).toBe(false);
    // A calculation that failed needs attention.
    expect(hasEffect(effective(1, { after: '1', notCalculated: true }))).toBe(true);
  });
});
