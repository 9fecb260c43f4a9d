import { describe, expect, it } from 'vitest';
import { repricerRuleChanges } from './difference.ts';
import {
  copyRepricerRule,
  DIFF_PRICES,
  isComplete,
  newRepricerRule,
  RANKS,
  repricerProblems,
  RepricerRule,
  REVIEW_COUNTS,
} from './schema.ts';

const field = (value: string) => ({ type: '_field' as const, value });
const whole = RepricerRule.parse({
  id: 'AbCdEf1234',
  name: 'Bestseller',
  active: true,
  action: { strategy: 2, diff_price: '0.00', min_price: field('a'), max_price: field('b'), standard_price: field('c') },
});
const fieldsOf = (rule: unknown) => repricerProblems(RepricerRule.parse(rule)).map((problem) => problem.field);

describe('a repricing rule in API requests', () => {
  it('REP-06 REP-09 offers the values of the specification', () => {
    expect([DIFF_PRICES.length, DIFF_PRICES[0], DIFF_PRICES[29], DIFF_PRICES.at(-1)]).toEqual([
      100,
      '0.00',
      '0.29',
      '0.99',
    ]);
    expect([RANKS[0], RANKS[1], RANKS.at(-1)]).toEqual([0, 5, 100]);
    expect([REVIEW_COUNTS.length, REVIEW_COUNTS[1], REVIEW_COUNTS.at(-1)]).toEqual([50, 200, 9800]);
  });

  it('REP-11 REP-12 a new rule and a copy are paused', () => {
    const made = newRepricerRule('Neu1234567');
    expect(made).toMatchObject({
      active: false,
      action: { strategy: 1, non_competition_strategy: 1, min_price_strategy: 1, min_price: field('') },
    });
    expect(isComplete(made)).toBe(false);
    expect(copyRepricerRule(whole, 'Kopie12345')).toEqual({ ...whole, id: 'Kopie12345', name: '', active: false });
  });

  it('REP-13 is complete with strategy, difference and three fields', () => {
    expect(isComplete(whole)).toBe(true);
    for (const missing of ['strategy', 'diff_price', 'min_price', 'max_price', 'standard_price'] as const) {
      const { [missing]: _gone, ...rest } = whole.action;
      expect([missing, isComplete(RepricerRule.parse({ ...whole, action: rest }))]).toEqual([missing, false]);
    }
    expect(isComplete(RepricerRule.parse({ ...whole, action: { ...whole.action, diff_price: 0 } }))).toBe(true);
  });

  it('REP-14 needs a name, ids of its sellers, and values from the lists, as numbers or texts', () => {
    expect(repricerProblems(whole)).toEqual([]);
    expect(fieldsOf({ ...whole, name: ' ' })).toEqual(['name']);
    const action = (change: object) => fieldsOf({ ...whole, action: { ...whole.action, ...change } });
    expect(
      action({ strategy: '2', min_price_strategy: '3', exclude_count_rank: '95', exclude_count_reviews: '9800' }),
    ).toEqual([]);
    expect(action({ exclude_sellers: [{ name: 'a', value: 'x' }, { name: 'b' }] })).toEqual([
      'action.exclude_sellers.1.value',
    ]);
    expect(
      action({
        strategy: 3,
        diff_price: '1.00',
        exclude_count_rank: 7,
        exclude_count_reviews: 100,
        non_competition_strategy: 3,
      }),
    ).toEqual([
      'action.strategy',
      'action.non_competition_strategy',
      'action.exclude_count_rank',
      'action.exclude_count_reviews',
      'action.diff_price',
    ]);
  });

  it('REP-13 unselected values may be null: the rule is incomplete, but not refused', () => {
    const none = { min_price: null, max_price: '', standard_price: { type: '_field', value: null } };
    const rest = { strategy: null, diff_price: null, exclude_sellers: null, exclude_count_rank: null };
    const rule = RepricerRule.parse({ ...whole, action: { ...none, ...rest } });
    expect([isComplete(rule), rule.action.min_price, rule.action.max_price]).toEqual([false, field(''), field('')]);
    expect([rule.action.exclude_sellers, repricerProblems(rule)]).toEqual([[], []]);
  });

  it('REP-06 a difference with a comma is refused with the expected notation', () => {
    const { action } = whole;
    expect(repricerProblems({ ...whole, action: { ...action, diff_price: '0,05' } })[0]?.message).toBe(
      'Die Preisdifferenz liegt zwischen 0.00 und 0.99, mit Punkt und höchstens zwei Stellen.',
    );
  });

  it('REP-17 a saved value is read back as it was, number or text', () => {
    for (const value of [1, '1'])
      expect(RepricerRule.parse({ ...whole, action: { ...whole.action, strategy: value } }).action.strategy).toBe(
        value,
      );
    expect(RepricerRule.parse({ ...whole, active: 'true' }).active).toBe(true);
  });

  it('REP-17 changes are described in German sentences', () => {
    const other = copyRepricerRule(whole, 'Kopie12345');
    const changed = { ...whole, active: false, action: { ...whole.action, strategy: 1, diff_price: '0.05' } };
    expect(repricerRuleChanges([whole, other], [other, changed])).toEqual([
      'Repricing-Regel „Bestseller“: pausiert.',
      'Repricing-Regel „Bestseller“: Strategie: vorher „BuyBox-Targeting“, jetzt „Wettbewerber-Targeting“.',
      'Repricing-Regel „Bestseller“: Preisdifferenz: vorher „0,00\u00a0€“, jetzt „0,05\u00a0€“.',
      'Reihenfolge der Repricing-Regeln geändert.',
    ]);
    const more = { exclude_count_rank: 90, exclude_count_reviews: 200, exclude_sellers: [{ name: '', value: 'A1' }] };
    const fuller = { ...whole, action: { ...whole.action, min_price: field(''), ...more, diff_price: 0 } };
    expect(
      repricerRuleChanges([whole], [fuller]).map((one) => one.replace('Repricing-Regel „Bestseller“: ', '')),
    ).toEqual([
      'Mindestpreis: vorher „a“, jetzt „kein Feld“.',
      'Mindestbewertung: vorher „keine“, jetzt „90\u00a0%“.',
      'Mindestzahl Bewertungen: vorher „keine“, jetzt „200“.',
      'Ausgeschlossene Verkäufer: vorher „niemand“, jetzt „A1“.',
    ]);
    const sellers = [{ name: ' Zweitkonto ', value: 'A1' }];
    expect(
      repricerRuleChanges([fuller], [{ ...fuller, action: { ...fuller.action, exclude_sellers: sellers } }]),
    ).toEqual(['Repricing-Regel „Bestseller“: Ausgeschlossene Verkäufer: vorher „A1“, jetzt „A1 (Zweitkonto)“.']);
    expect(repricerRuleChanges([whole], [])).toEqual(['Repricing-Regel „Bestseller“ gelöscht.']);
    expect(repricerRuleChanges([], [whole])).toEqual(['Repricing-Regel „Bestseller“ angelegt.']);
    expect(repricerRuleChanges([whole], [whole])).toEqual([]);
  });
});
