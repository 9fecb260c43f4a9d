import { processorMs } from '../../../test/stages/processor-time.ts';
import { describe, expect, test } from 'vitest';
import type { Operator } from '#shared/rules/operators.ts';
import { exclusiveConditions } from '#engine/analysis/exclusive-conditions.ts';
import { readRules } from '#engine/read/read-rules.ts';
import { act, always, rule, when } from './case.ts';

describe('conditions that exclude each other by their values', () => {
  type Comparison = readonly [Operator, string];
  const pair = (one: Comparison, other: Comparison) =>
    readRules([rule([when('a', ...one), when('a', ...other)], [])])[0]?.conditions ?? [];

  test.each<[Comparison, Comparison]>([
    [
      ['is_equal', 'Rot'],
      ['is_equal', 'blau'],
    ],
    [
      ['is_equal', 'Rot'],
      ['is_equal_any', 'blau\ngelb'],
    ],
    [
      ['is_equal', 'rot'],
      ['not_contains', 'RO'],
    ],
    [
      ['is_equal', '5'],
      ['is_greater_than', '7'],
    ],
    [
      ['is_equal', 'abc'],
      ['length_exceeds', '3'],
    ],
    [
      ['is_equal', 'ein Wort'],
      ['word_count_exceeds', '2'],
    ],
    [
      ['is_empty', ''],
      ['is_not_empty', ''],
    ],
    [
      ['is_empty', ''],
      ['contains', 'x'],
    ],
    [
      ['is_empty', ''],
      ['is_less_than', '3'],
    ],
    [
      ['is_greater_than', '5'],
      ['is_less_than', '3,00'],
    ],
    [
      ['is_greater_than', '5'],
      ['is_less_equal', '5'],
    ],
    [
      ['is_greater_equal', '5,1'],
      ['is_less_equal', '5'],
    ],
    [
      ['length_exceeds', '10'],
      ['length_not_exceeds', '10'],
    ],
    [
      ['word_count_exceeds', '2'],
      ['word_count_not_exceeds', '1'],
    ],
    [
      ['starts_with', 'Ab'],
      ['starts_with', 'ac'],
    ],
    [
      ['ends_with', 'b'],
      ['ends_with', 'c'],
    ],
    [
      ['starts_with', 'abc'],
      ['starts_not_with', 'AB'],
    ],
    [
      ['contains', 'abc'],
      ['not_contains', 'b'],
    ],
    [
      ['contains_any', 'ab\nxb'],
      ['not_contains', 'b'],
    ],
    [
      ['contains', 'abc'],
      ['not_contains_any', 'z\nb'],
    ],
    [
      ['regex', '^a'],
      ['not_regex', '^a'],
    ],
  ])('%s and %s', (one, other) => {
    expect(exclusiveConditions(pair(one, other))).toEqual([0, 1]);
    expect(exclusiveConditions(pair(other, one))).toEqual([0, 1]);
  });

  test.each<[Comparison, Comparison]>([
    [
      ['is_equal', 'Rot'],
      ['is_equal', 'ROT'],
    ],
    [
      ['is_equal', ' '],
      ['is_empty', ''],
    ],
    [
      ['is_empty', ''],
      ['length_exceeds', '3'],
    ],
    [
      ['is_empty', ''],
      ['not_contains', 'x'],
    ],
    [
      ['is_greater_equal', '5'],
      ['is_less_equal', '5'],
    ],
    [
      ['is_greater_than', '5'],
      ['is_less_than', '5,01'],
    ],
    [
      ['starts_with', 'a'],
      ['starts_with', 'ab'],
    ],
    [
      ['contains', 'a'],
      ['not_contains', 'ab'],
    ],
    [
      ['ends_with', 'a'],
      ['starts_with', 'b'],
    ],
    [
      ['contains_any', 'ab\nx'],
      ['not_contains', 'b'],
    ],
    [
      ['length_exceeds', '3'],
      ['length_not_exceeds', '4'],
    ],
    [
      ['is_in_highest', '3'],
      ['is_in_lowest', '3'],
    ],
  ])('%s and %s may hold together', (one, other) => {
    expect(exclusiveConditions(pair(one, other))).toBeUndefined();
  });

  test('one value is compared with each of a long list of parts', () => {
    const parts = Array.from({ length: 5000 }, (_, at) => `x${at}`).join('\n');
    expect(exclusiveConditions(pair(['is_equal', 'zzz'], ['contains_any', parts]))).toEqual([0, 1]);
    expect(exclusiveConditions(pair(['is_equal', 'x7'], ['not_contains_any', parts]))).toEqual([0, 1]);
  });

  test.each<[Operator, Operator]>([
    ['is_equal_any', 'is_equal_any'],
    ['is_equal_any', 'not_equal_any'],
    ['is_equal_any', 'contains_any'],
    ['contains_any', 'not_contains_any'],
  ])('T22 two lists of 10,000 entries, %s and %s, are compared in less than 1 s', async (one, other) => {
    const list = (word: string) => Array.from({ length: 10_000 }, (_, at) => `${word} ${at}`).join('\n');
    const conditions = readRules([rule([when('a', one, list('a')), when('a', other, list('b'))], [])])[0]?.conditions;
    expect(await processorMs(() => exclusiveConditions(conditions ?? []))).toBeLessThan(1000);
  });

  test('conditions on different fields never exclude each other; three lists exclude each other without a common value', () => {
    const other = readRules([rule([when('a', 'is_equal', 'x'), when('b', 'is_equal', 'y')], [])])[0]?.conditions;
    expect(exclusiveConditions(other ?? [])).toBeUndefined();
    const lists = [
      when('a', 'is_equal_any', 'x\ny'),
      when('a', 'is_equal_any', 'y\nz'),
      when('a', 'is_equal_any', 'x\nz'),
    ];
    expect(exclusiveConditions(readRules([rule(lists, [])])[0]?.conditions ?? [])).toBeDefined();
    expect(
      exclusiveConditions(readRules([rule([always()], [act('a', 'set', 'x')])])[0]?.conditions ?? []),
    ).toBeUndefined();
  });
});
