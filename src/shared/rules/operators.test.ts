import { expect, test } from 'vitest';
import { ACTION_NAMES, ACTIONS, actionDefinition, actionsFor, CALCULATIONS } from './actions.ts';
import { DEFAULT_OPERATOR, OPERATOR_NAMES, operatorDefinition, OPERATORS } from './operators.ts';
import { valueHeading, VALUE_TYPES } from '#shared/values/schema.ts';

const ofGroup = (group: string) => OPERATORS.filter((one) => one.group === group).map(({ select }) => select);

test('RUL-03 the 26 operators are in their groups and order, and contains is the default', () => {
  expect(ofGroup('Text')).toEqual(
    (
      'contains not_contains is_equal is_not_equal starts_with starts_not_with ends_with ends_not_with is_empty ' +
      'is_not_empty length_exceeds length_not_exceeds word_count_exceeds word_count_not_exceeds'
    ).split(' '),
  );
  expect(ofGroup('Mehrfach')).toEqual(['contains_any', 'not_contains_any', 'is_equal_any', 'not_equal_any']);
  expect(ofGroup('Zahlen')).toEqual(
    'is_greater_than is_greater_equal is_less_than is_less_equal is_in_highest is_in_lowest'.split(' '),
  );
  expect(ofGroup('Fortgeschritten')).toEqual(['regex', 'not_regex']);
  expect(new Set(OPERATOR_NAMES).size).toBe(26);
  expect(DEFAULT_OPERATOR).toBe('contains');
  expect(new Set(OPERATORS.map(({ label }) => label)).size).toBe(26);
});

test('RUL-04 only operators with several entries have the type multiple', () => {
  const multiple = OPERATORS.filter(({ selecttyp }) => selecttyp === 'multiple');
  expect(multiple.map(({ select }) => operatorDefinition(select).editor)).toEqual(['lines', 'lines', 'lines', 'lines']);
  expect(multiple.map(({ group }) => group)).toEqual(['Mehrfach', 'Mehrfach', 'Mehrfach', 'Mehrfach']);
});

test('RUL-05 the actions are in their groups, and all fields allow only schließe aus', () => {
  const inGroup = (group: string) =>
    actionsFor('field')
      .filter((one) => one.group === group)
      .map(({ select }) => select);
  expect(inGroup('Text')).toEqual(['set', 'append', 'copy', 'combine', 'replace', 'textsplit', 'maxlength']);
  expect(inGroup('Berechnungen')).toEqual(['calculate']);
  expect(inGroup('Items')).toEqual(['group']);
  expect(inGroup('Fortgeschritten')).toEqual(['searchRegex']);
  expect(actionsFor('all').map(({ select, label }) => [select, label])).toEqual([['unset', 'schließe aus']]);
  expect(CALCULATIONS.map(({ actionOperator }) => actionOperator)).toEqual(['multiply', 'divide', 'add', 'subtract']);
});

test('RUL-06 every kind of action has its editor', () => {
  expect(Object.fromEntries(ACTIONS.map(({ select, selecttyp }) => [select, selecttyp]))).toEqual({
    set: 'input',
    append: 'input',
    copy: 'copy',
    combine: 'combine',
    replace: 'find',
    textsplit: 'split',
    maxlength: 'maxlength',
    calculate: 'calculate',
    group: 'copy',
    searchRegex: 'searchRegex',
    unset: 'input',
  });
  for (const kind of ACTION_NAMES) expect(actionDefinition(kind).select).toBe(kind);
});

test('GEN-08 the types of a selector have their headings', () => {
  expect(VALUE_TYPES.map(({ type, heading }) => [type, heading])).toEqual([
    ['_field', 'Projektfelder'],
    ['_intern', 'Interne Felder'],
    ['_mapping', 'Mapping Felder'],
    ['_default', 'Festgelegte Werte'],
    ['_string', ''],
  ]);
  expect(valueHeading('_mapping')).toBe('Mapping Felder');
});
