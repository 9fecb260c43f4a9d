import { describe, expect, it } from 'vitest';
import { newAction, newCondition, newRule, type Rule } from '#shared/rules/schema.ts';
import { chooseConditionField, changeActionValue, changeOperator } from '#shared/rules/edits.ts';
import { countWords } from './listed-rules.ts';
import { typedPlace } from '#client/screens/rules/form/typed-place.ts';

let made = 0;
const nextId = () => `Regel${String((made += 1)).padStart(5, '0')}`;
const condition = { ...newCondition(nextId), field: 'titel' };
const action = { ...newAction(nextId), field: 'titel', select: 'set' as const, value: [] };
const rule: Rule = { ...newRule(nextId), name: 'a', querys: [condition, condition], actions: [action] };
const query = (changed: Rule['querys'][number]): Rule => ({ ...rule, querys: rule.querys.with(1, changed) });
const act = (changed: Rule['actions'][number]): Rule => ({ ...rule, actions: [changed] });

describe('which edits count as typing', () => {
  it('RUL-02 a growing text is typing in one place, and every place has its own name', () => {
    const places = [
      typedPlace(rule, { ...rule, name: 'ab' }),
      typedPlace(rule, { ...rule, description: 'x' }),
      typedPlace(rule, query({ ...condition, value: 'x' })),
      typedPlace(rule, act(changeActionValue(action, 0, { type: '_string', value: 'x' }))),
      typedPlace(rule, act(changeActionValue(action, 1, { type: '_string', value: 'x' }))),
    ];
    expect(places.every((place) => place !== undefined)).toBe(true);
    expect(new Set(places).size).toBe(places.length);
  });

  it('RUL-02 choices, added or removed parts, and several changes at once are undo steps of their own', () => {
    const others: Rule[] = [
      rule,
      { ...rule, active: !rule.active },
      { ...rule, name: 'ab', description: 'x' },
      query(chooseConditionField(condition, 'marke')),
      query(changeOperator(condition, 'is_equal')),
      query({ ...condition, valuetyp: '_field', value: 'marke' }),
      { ...rule, querys: [condition] },
      act({ ...action, value: [{ type: '_field', value: 'marke' }] }),
    ];
    expect(others.map((other) => typedPlace(rule, other))).toEqual(others.map(() => undefined));
  });
});

describe('the effect of a rule in few words', () => {
  const words = (pre: number, post: number, diff: number, held: number) =>
    countWords({ ruleId: rule.id, pre, post, diff, held }).text;

  it('RUL-11 names the number of matched items only if it differs from the number of affected ones', () => {
    expect(words(5000, 5000, 1204, 1204)).toBe('1.204 geändert');
    expect(words(100, 82, 18, 18)).toBe('18 ausgeschlossen');
    expect(words(100, 98, 5, 9)).toBe('9 getroffen, 3 geändert, 2 ausgeschlossen');
    expect(words(100, 100, 0, 9)).toBe('9 getroffen, nichts geändert');
    expect(words(100, 100, 0, 0)).toBe('0 getroffen');
  });
});
