import { act, always, calculate, exclude, rule, when, type Case, type Fields } from './case.ts';

const [a, b]: Fields[] = [{ wert: 'a' }, { wert: 'b' }];

/** The order in which rules, conditions and actions apply. */
export const flowCases: Case[] = [
  {
    title: 'a condition on all fields without a value holds for every item',
    items: [{ wert: 'a' }, { wert: null }],
    rules: [rule([always()], [act('wert', 'append', '!')])],
    expected: [{ wert: 'a!' }, { wert: '!' }],
  },
  {
    title: 'a condition on all fields holds where any field satisfies it',
    items: [
      { x: 'Rot', y: null },
      { x: null, y: 'hellROT' },
      { x: 'blau', y: 'grün' },
    ],
    rules: [rule([when('@ALL@', 'contains', 'rot')], [act('z', 'set', 'ja')])],
    expected: [
      { x: 'Rot', y: null, z: 'ja' },
      { x: null, y: 'hellROT', z: 'ja' },
      { x: 'blau', y: 'grün' },
    ],
  },
  {
    title: 'RUL-03 is_empty on all fields holds where any field is empty',
    items: [
      { x: 'Rot', y: null },
      { x: ' ', y: 'b' },
      { x: 'blau', y: 'grün' },
    ],
    rules: [rule([when('@ALL@', 'is_empty')], [act('x', 'set', 'ja')])],
    expected: [
      { x: 'ja', y: null },
      { x: 'ja', y: 'b' },
      { x: 'blau', y: 'grün' },
    ],
  },
  {
    title: 'RUL-03 is_not_empty on all fields holds where any field is filled',
    items: [
      { x: 'Rot', y: null },
      { x: null, y: null },
    ],
    rules: [rule([when('@ALL@', 'is_not_empty')], [act('y', 'set', 'ja')])],
    expected: [
      { x: 'Rot', y: 'ja' },
      { x: null, y: null },
    ],
  },
  {
    title: 'a condition on all fields ignores the item number',
    items: [{ x: 'a' }, { x: '1' }],
    rules: [rule([when('@ALL@', 'is_equal', '1')], [act('z', 'set', 'ja')])],
    expected: [{ x: 'a' }, { x: '1', z: 'ja' }],
  },
  {
    title: 'a condition on all fields includes fields that a previous rule added',
    items: [{ x: 'a' }],
    rules: [
      rule([always()], [act('neu', 'set', 'kauf')]),
      rule([when('@ALL@', 'is_equal', 'kauf')], [act('x', 'set', 'b')]),
    ],
    expected: [{ x: 'b', neu: 'kauf' }],
  },
  {
    title: 'conditions are combined with AND',
    items: [
      { x: 'a', y: 'b' },
      { x: 'a', y: 'c' },
      { x: 'd', y: 'b' },
    ],
    rules: [rule([when('x', 'is_equal', 'a'), when('y', 'is_equal', 'b')], [act('x', 'set', 'ja')])],
    expected: [
      { x: 'ja', y: 'b' },
      { x: 'a', y: 'c' },
      { x: 'd', y: 'b' },
    ],
  },
  {
    title: 'a rule reads the values that the previous rules wrote',
    items: [{ wert: 'a' }, { wert: 'b' }],
    rules: [
      rule([when('wert', 'is_equal', 'a')], [act('wert', 'set', 'b')]),
      rule([when('wert', 'is_equal', 'b')], [act('wert', 'set', 'c')]),
    ],
    expected: [{ wert: 'c' }, { wert: 'c' }],
  },
  {
    title: 'an action reads the result of the previous action',
    items: [{ preis: '10' }],
    rules: [
      rule(
        [always()],
        [
          calculate('preis', 'multiply', '2'),
          calculate('preis', 'add', '1'),
          act('text', 'combine', { field: 'preis' }, ' €'),
        ],
      ),
    ],
    expected: [{ preis: '21.00', text: '21.00 €' }],
  },
  {
    title: 'conditions are not evaluated again between actions',
    items: [{ wert: 'a' }],
    rules: [rule([when('wert', 'is_equal', 'a')], [act('wert', 'set', 'b'), act('x', 'set', { field: 'wert' })])],
    expected: [{ wert: 'b', x: 'b' }],
  },
  {
    title: 'an excluded item does not reach later rules, other items do',
    items: [{ wert: 'a' }, { wert: 'b' }],
    rules: [rule([when('wert', 'is_equal', 'a')], [exclude()]), rule([always()], [act('wert', 'append', 'x')])],
    expected: ['left', { wert: 'bx' }],
  },
  {
    title: 'is_in_highest ranks only items that reach the rule',
    items: [{ wert: '9' }, { wert: '5' }, { wert: '3' }],
    rules: [
      rule([when('wert', 'is_in_highest', '1')], [exclude()]),
      rule([when('wert', 'is_in_highest', '1')], [act('x', 'set', 'ja')]),
    ],
    expected: ['left', { wert: '5', x: 'ja' }, { wert: '3' }],
  },
  {
    title: 'several is_in_highest rules in sequence',
    items: [{ wert: '9' }, { wert: '7' }, { wert: '5' }, { wert: '3' }],
    rules: [1, 2, 3, 4].map(() => rule([when('wert', 'is_in_highest', '1')], [calculate('wert', 'subtract', '3')])),
    expected: [{ wert: '3.00' }, { wert: '4.00' }, { wert: '2.00' }, { wert: '3' }],
  },
  {
    title: 'paused rules have no effect',
    items: [a ?? {}, b ?? {}],
    rules: [rule([always()], [exclude()], false), rule([always()], [act('wert', 'append', '!')])],
    expected: [{ wert: 'a!' }, { wert: 'b!' }],
  },
  {
    title: 'without rules items are unchanged',
    items: [{ wert: 'a', x: null }],
    rules: [],
    expected: [{ wert: 'a', x: null }],
  },
  {
    title: 'a rule without conditions holds for every item',
    items: [{ wert: 'a' }],
    rules: [rule([], [act('wert', 'set', 'b')])],
    expected: [{ wert: 'b' }],
  },
  {
    title: 'a rule without actions does nothing',
    items: [{ wert: 'a' }],
    rules: [rule([always()], [])],
    expected: [{ wert: 'a' }],
  },
  {
    title: 'without items there is no result',
    items: [],
    rules: [rule([when('wert', 'is_in_highest', '1')], [act('wert', 'group', 'wert')])],
    expected: [],
  },
  {
    title: 'two fields are swapped through a third one',
    items: [{ x: '1', y: '2' }],
    rules: [
      rule(
        [always()],
        [
          act('t', 'copy', { field: 'x' }),
          act('x', 'copy', { field: 'y' }),
          act('y', 'copy', { field: 't' }),
          act('t', 'set', ''),
        ],
      ),
    ],
    expected: [{ x: '2', y: '1' }],
  },
  {
    title: 'a condition can compare the item number',
    items: [{ wert: 'a' }, { wert: 'b' }],
    rules: [rule([when('_id', 'is_equal', '2')], [exclude()])],
    expected: [{ wert: 'a' }, 'left'],
  },
  {
    title: 'an unknown field counts as missing in every item',
    items: [{ wert: 'a' }],
    rules: [
      rule([when('nie', 'is_empty'), when('nie', 'not_contains', 'x')], [act('wert', 'set', 'b')]),
      rule([when('nie', 'contains', 'x')], [exclude()]),
    ],
    expected: [{ wert: 'b' }],
  },
];
