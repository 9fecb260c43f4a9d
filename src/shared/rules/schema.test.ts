import { describe, expect, test } from 'vitest';
import { numberText, textLines, wholeNumber } from '#shared/values/number-text.ts';
import { processorMs } from '../../../test/stages/processor-time.ts';
import * as edits from './edits.ts';
import { copyRule, newAction, newCondition, newRule, RULE_LIMITS, Rule, Rules } from './schema.ts';
import { ALL_FIELDS } from '#shared/values/schema.ts';

let made = 0;
const randomId = () => `ID${String((made += 1)).padStart(8, '0')}`;

describe('rules created by the browser', () => {
  test('RUL-08 GEN-02 a new rule is inactive, with one condition and one action on all fields', () => {
    const rule = newRule(randomId);
    expect(Rule.parse(rule)).toEqual(rule);
    expect(rule).toMatchObject({ name: '', active: false });
    expect(rule.querys).toMatchObject([{ field: ALL_FIELDS, select: 'contains', value: '' }]);
    expect(rule.actions).toMatchObject([{ field: ALL_FIELDS, select: 'unset', value: [] }]);
    expect(rule.id).toMatch(/^[A-Za-z0-9]{10}$/);
  });

  test('RUL-08 a copy has a new id and (copy) after its name, also after one of maximum length', () => {
    const rule = { ...newRule(randomId), name: 'Sale', active: true };
    const copy = copyRule(rule, randomId);
    expect(copy).toMatchObject({ name: 'Sale (copy)', active: true });
    expect(new Set([rule.id, copy.id, rule.querys[0]?.id, copy.querys[0]?.id, copy.actions[0]?.id]).size).toBe(5);
    const long = copyRule({ ...rule, name: 'x'.repeat(RULE_LIMITS.name) }, randomId);
    expect(Rule.parse(long).name.endsWith('x (copy)')).toBe(true);
    const smileys = copyRule({ ...rule, name: '😀'.repeat(100) }, randomId).name;
    expect([smileys.isWellFormed(), smileys.endsWith('😀 (copy)')]).toEqual([true, true]);
  });

  test('RUL-04 another operator empties the value and sets its type', () => {
    const condition = { ...newCondition(randomId), field: 'Titel', value: 'alt' };
    expect(edits.changeOperator(condition, 'is_equal_any')).toMatchObject({
      select: 'is_equal_any',
      selecttyp: 'multiple',
      value: '',
      field: 'Titel',
    });
    expect(edits.changeOperandSource({ ...condition, value: 'x' }, '_field')).toMatchObject({
      valuetyp: '_field',
      value: '',
    });
    expect(edits.changeOperandSource(condition, '_string')).toBe(condition);
  });

  test('RUL-04 choosing all fields resets value and operator of a condition', () => {
    const condition = {
      ...newCondition(randomId),
      field: 'Titel',
      select: 'regex' as const,
      value: 'x',
      valuetyp: '_field' as const,
    };
    expect(edits.chooseConditionField(condition, ALL_FIELDS)).toEqual({
      ...newCondition(() => condition.id),
      id: condition.id,
    });
    expect(edits.chooseConditionField(condition, 'Marke')).toEqual({ ...condition, field: 'Marke' });
  });

  test('RUL-06 another kind of action resets the value to one empty string entry', () => {
    const action = edits.chooseActionField(newAction(randomId), 'Preis');
    expect(action).toMatchObject({
      field: 'Preis',
      select: 'set',
      selecttyp: 'input',
      value: [{ type: '_string', value: '' }],
    });
    const calculated = edits.changeActionKind({ ...action, value: [{ type: '_field', value: 'x' }] }, 'calculate');
    expect(calculated).toMatchObject({
      selecttyp: 'calculate',
      actionOperator: 'multiply',
      value: [{ type: '_string', value: '' }],
    });
    expect(edits.changeCalculation(calculated, 'divide').actionOperator).toBe('divide');
    expect(edits.changeActionKind(calculated, 'append').actionOperator).toBe('');
  });

  test('RUL-06 all fields allow only schließe aus; leaving it resets to set; changing between fields keeps the action', () => {
    const action = edits.changeActionKind(edits.chooseActionField(newAction(randomId), 'Preis'), 'maxlength');
    const all = edits.chooseActionField(action, ALL_FIELDS);
    expect(all).toMatchObject({ field: ALL_FIELDS, select: 'unset', value: [] });
    expect(edits.chooseActionField(all, 'Titel')).toMatchObject({
      field: 'Titel',
      select: 'set',
      value: [{ type: '_string', value: '' }],
    });
    expect(edits.chooseActionField(action, 'Titel')).toEqual({ ...action, field: 'Titel' });
    expect(edits.changeActionValue(all, 1, { type: '_number', value: '2' }).value).toEqual([
      { type: '_string', value: '' },
      { type: '_number', value: '2' },
    ]);
  });

  test('RUL-09 conditions and actions are added, copied after their source, and removed unless they are the last', () => {
    const rule = newRule(randomId);
    const two = edits.copyConditionAt(edits.addCondition(rule, randomId), 0, randomId);
    expect(two.querys).toHaveLength(3);
    expect(new Set(two.querys.map(({ id }) => id)).size).toBe(3);
    expect(edits.removeConditionAt(rule, 0)).toBe(rule);
    expect(edits.removeConditionAt(two, 1).querys.map(({ id }) => id)).toEqual([two.querys[0]?.id, two.querys[2]?.id]);
    const acting = edits.copyActionAt(edits.addAction(rule, randomId), 1, randomId);
    expect(acting.actions).toHaveLength(3);
    expect(edits.removeActionAt(rule, 0)).toBe(rule);
    expect(edits.removeActionAt(acting, 0).actions).toHaveLength(2);
  });

  test('RUL-09 a rule has at most fifty conditions and fifty actions', () => {
    let rule = newRule(randomId);
    for (let times = 0; times < 60; times += 1)
      rule = edits.addAction(edits.copyConditionAt(rule, 0, randomId), randomId);
    expect([rule.querys.length, rule.actions.length]).toEqual([50, 50]);
    expect(Rule.parse(rule)).toEqual(rule);
  });
});

describe('rules in API requests', () => {
  test('RUL-04 RUL-06 missing members get defaults, numbers become text, unknown members are dropped', () => {
    const [rule] = Rules.parse([
      {
        id: 'abcdefghij',
        querys: [{ field: 'x', value: 12 }],
        actions: [{ field: 'y', value: [{ value: null }] }],
        extra: 1,
      },
    ]);
    expect(rule).toEqual({
      id: 'abcdefghij',
      name: '',
      description: '',
      active: false,
      querys: [
        { id: '', field: 'x', select: 'contains', selecttyp: 'text', value: '12', valuetyp: '_string', type: '' },
      ],
      actions: [
        {
          id: '',
          field: 'y',
          select: 'set',
          selecttyp: 'input',
          type: '',
          value: [{ type: '_string', value: '' }],
          actionOperator: '',
        },
      ],
    });
  });

  test('RUL-04 RUL-06 optional members may be null or empty', () => {
    const bare = { select: '', selecttyp: null, valuetyp: '', value: null, actionOperator: null };
    const id = 'abcdefghij';
    const [dropped, missing] = [bare, {}].map((part) => Rule.parse({ id, querys: [part], actions: [part] }));
    expect(dropped).toEqual(missing);
  });

  test.each([
    ['an invalid id', { id: '__proto__' }],
    ['a name of 201 characters', { name: 'x'.repeat(201) }],
    ['NUL', { name: 'a\0' }],
    ['51 conditions', { querys: Array.from({ length: 51 }, () => ({})) }],
    ['an unknown operator', { querys: [{ select: 'drop table' }] }],
    ['an unknown action', { actions: [{ select: 'delete' }] }],
    ['a value beyond 1 MB', { querys: [{ value: 'x'.repeat(1_000_001) }] }],
  ])('T22 %s is refused', (_name, part) => {
    expect(Rule.safeParse({ id: 'abcdefghij', ...part }).success).toBe(false);
  });
});

describe('numbers and lines', () => {
  test.each([
    ['1.234,56', '1234.56'],
    ['1,234.56', '1234.56'],
    ['1.234', '1.234'],
    ['1.234 €', '1234'],
    ['EUR -1,234', '-1234'],
    ['0.234 €', '0.234'],
    ['1.2345 €', '1.2345'],
    ['1.234.567', '1234567'],
    ['€ -12,5', '-12.5'],
    ['12,50 EUR', '12.50'],
    ['1\u202f234,5', '1234.5'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['−3', '-3'],
    ['12.05.2024', undefined],
    ['1.2.3', undefined],
    ['1e5', undefined],
    ['', undefined],
    ['zehn', undefined],
  ])('RUL-03 the text %j is the number %s', (text, number) => {
    expect(numberText(text)).toBe(number);
  });

  test.each([' ', '€', 'EUR', '1', '1.', '1,234', '\u00a0234'])(
    'T22 whether a long text of nothing but %j is a number takes less than 2 s',
    async (part) => {
      const text = `${part.repeat(60_000)}x`;
      expect(await processorMs(() => expect(numberText(text)).toBeUndefined())).toBeLessThan(2000);
    },
  );

  test('RUL-07 lines end with LF, CR LF or CR, and the last line end starts no new line', () => {
    expect(textLines('a\r\nb\rc\n\nd\n')).toEqual(['a', 'b', 'c', '', 'd']);
    expect(textLines('')).toEqual([]);
    expect([wholeNumber('3,0'), wholeNumber('-2'), wholeNumber('1,5'), wholeNumber('9999999999')]).toEqual([
      3,
      -2,
      undefined,
      undefined,
    ]);
  });
});
