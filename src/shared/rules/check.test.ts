import { describe, expect, test } from 'vitest';
import { checkRules } from './check.ts';
import * as edits from './edits.ts';
import { Rules } from './schema.ts';
import { ALL_FIELDS } from '#shared/values/schema.ts';

describe('problems of rules', () => {
  const problems = (part: object, fields: string[] = ['Titel', 'Preis']) =>
    checkRules(Rules.parse([{ id: 'abcdefghij', name: 'n', ...part }]), fields, (pattern) =>
      pattern === '(' ? 'Grund' : undefined,
    ).map(({ path, code, severity, message }) => [path, code, severity, message]);

  test('RUL-10 an empty name is an error with its text', () => {
    expect(problems({ name: ' ' })).toEqual([['name', 'name_empty', 'error', 'Bitte geben Sie einen Namen ein.']]);
  });

  test('RUL-07 a calculation accepts digits, a point and two decimals', () => {
    const number = (value: string) =>
      problems({
        actions: [
          {
            field: 'Preis',
            select: 'calculate',
            actionOperator: 'add',
            value: [
              { type: '_field', value: '' },
              { type: '_number', value },
            ],
          },
        ],
      });
    for (const fine of ['', '1', '1.', '1.5', '10.25']) expect(number(fine)).toEqual([]);
    for (const wrong of ['1,5', '1.555', '-1', 'x', '.5']) {
      expect(number(wrong)).toEqual([
        [
          'actions.0.value.1.value',
          'number_invalid',
          'error',
          'Nur dezimal werte mit Punkt und 2 Nachkommastellen sind erlaubt',
        ],
      ]);
    }
    expect(edits.calculationNumberOrZero('1,5')).toBe('0');
    expect(edits.calculationNumberOrZero('1.5')).toBe('1.5');
  });

  test('RUL-07 a pattern that does not compile is refused with Invalid Regex and the reason', () => {
    expect(problems({ querys: [{ field: 'Titel', select: 'regex', value: '(' }] })).toEqual([
      ['querys.0.value', 'regex_invalid', 'error', 'Invalid Regex: Grund'],
    ]);
    expect(
      problems({ actions: [{ field: 'Titel', select: 'searchRegex', value: [{ type: '_regex', value: '(' }] }] }),
    ).toEqual([['actions.0.value.0.value', 'regex_invalid', 'error', 'Invalid Regex: Grund']]);
    expect(
      problems({ querys: [{ field: 'Titel', select: 'regex', value: 'Titel', valuetyp: '_field' }] }),
    ).toMatchObject([['querys.0.value', 'regex_invalid', 'error', /Feld/]]);
  });

  test('RUL-05 the group notation of other programs causes a hint', () => {
    const replaced = (text: string) =>
      problems({
        actions: [
          {
            field: 'Titel',
            select: 'searchRegex',
            value: [
              { type: '_regex', value: '(a)' },
              { type: '_string', value: text },
            ],
          },
        ],
      });
    for (const text of ['$1', 'x${name}', '$<name>'])
      expect(replaced(text)).toMatchObject([['actions.0.value.1.value', 'replacement_group', 'hint', /\\1 bis \\9/]]);
    for (const text of ['\\1', '$', 'US$', '$ 1']) expect(replaced(text)).toEqual([]);
  });

  test('RUL-05 all fields can only be excluded, and only all fields', () => {
    expect(problems({ actions: [{ field: ALL_FIELDS, select: 'set' }] })).toMatchObject([
      ['actions.0.select', 'action_scope', 'error', expect.anything()],
    ]);
    expect(problems({ actions: [{ field: 'Titel', select: 'unset' }] })).toMatchObject([
      ['actions.0.select', 'action_scope', 'error', expect.anything()],
    ]);
  });

  test('unknown and missing fields, invalid counts and too many lines are reported', () => {
    expect(
      problems({ querys: [{ field: 'Farbe', value: 'x' }, { field: '' }] }).map(([path, code, severity]) => [
        path,
        code,
        severity,
      ]),
    ).toEqual([
      ['querys.0.field', 'field_unknown', 'hint'],
      ['querys.1.field', 'field_missing', 'hint'],
    ]);
    expect(
      problems({
        actions: [
          { field: 'Neu', select: 'maxlength', value: [{ type: '_number', value: '0' }] },
          { field: '_id', select: 'set' },
          { field: 'Neu', select: 'copy', value: [{ type: '_field', value: 'nie' }] },
        ],
      }).map(([path, code]) => [path, code]),
    ).toEqual([
      ['actions.0.field', 'field_new'],
      ['actions.0.value.0.value', 'count_invalid'],
      ['actions.1.field', 'field_readonly'],
      ['actions.2.value.0.value', 'field_unknown'],
    ]);
    expect(
      problems({
        querys: [
          { field: 'Titel', select: 'contains_any', value: 'x\n'.repeat(10_001) },
          { field: 'Preis', select: 'is_less_than', value: 'viel' },
          { field: 'Preis', select: 'is_in_highest', value: '2,5' },
          { field: 'Preis', select: 'is_in_lowest', value: '0' },
          { field: 'Preis', select: 'is_in_lowest', value: '10' },
          { field: 'Titel', select: 'length_exceeds', value: '2,5' },
        ],
      }).map(([path, code]) => [path, code]),
    ).toEqual([
      ['querys.0.value', 'lines_exceeded'],
      ['querys.1.value', 'number_invalid'],
      ['querys.2.value', 'count_invalid'],
      ['querys.3.value', 'count_invalid'],
    ]);
  });

  test('RUL-07 a replacement has a search text and a replacement; a third entry, which would be invisible, is an error', () => {
    const entries = (count: number) => {
      const value = Array.from({ length: count }, () => ({ type: '_string', value: 'a' }));
      return problems({ actions: [{ field: 'Titel', select: 'replace', value }] });
    };
    expect([entries(1), entries(2)]).toEqual([[], []]);
    const message = 'Suchen und Ersetzen hat höchstens 2 Einträge: was gesucht wird und wodurch es ersetzt wird.';
    expect(entries(3)).toEqual([['actions.0.value.2.value', 'entries_exceeded', 'error', message]]);
  });

  test('two rules with the same id are an error', () => {
    const [rule] = Rules.parse([{ id: 'abcdefghij', name: 'n' }]);
    const list = rule ? [rule, rule] : [];
    expect(checkRules(list, [], () => undefined)).toMatchObject([{ path: 'id', code: 'id_twice', severity: 'error' }]);
  });
});
