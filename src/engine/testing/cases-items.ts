import { act, always, exclude, rule, when, type Case } from './case.ts';

/** RUL-05: grouping and excluding. */
export const itemActionCases: Case[] = [
  {
    title: 'group writes the number of the first item with the same value',
    items: [{ stil: 'A' }, { stil: 'B' }, { stil: 'A' }, { stil: null }, { stil: 'a' }],
    rules: [rule([always()], [act('gruppe', 'group', { field: 'stil' })])],
    expected: [
      { stil: 'A', gruppe: '1' },
      { stil: 'B', gruppe: '2' },
      { stil: 'A', gruppe: '1' },
      { stil: null },
      { stil: 'a', gruppe: '5' },
    ],
  },
  {
    title: 'group counts only items on which the rule holds',
    items: [
      { stil: 'A', art: 'x' },
      { stil: 'A', art: 'y' },
      { stil: 'A', art: 'y' },
    ],
    rules: [rule([when('art', 'is_equal', 'y')], [act('gruppe', 'group', { field: 'stil' })])],
    expected: [
      { stil: 'A', art: 'x' },
      { stil: 'A', art: 'y', gruppe: '2' },
      { stil: 'A', art: 'y', gruppe: '2' },
    ],
  },
  {
    title: 'group ignores excluded items',
    items: [
      { stil: 'A', art: 'weg' },
      { stil: 'A', art: 'da' },
    ],
    rules: [
      rule([when('art', 'is_equal', 'weg')], [exclude()]),
      rule([always()], [act('gruppe', 'group', { field: 'stil' })]),
    ],
    expected: ['left', { stil: 'A', art: 'da', gruppe: '2' }],
  },
  {
    title: 'group keeps the old value where the field is missing',
    items: [
      { stil: null, gruppe: 'alt' },
      { stil: 'A', gruppe: 'alt' },
    ],
    rules: [rule([always()], [act('gruppe', 'group', 'stil')])],
    expected: [
      { stil: null, gruppe: 'alt' },
      { stil: 'A', gruppe: '2' },
    ],
  },
  {
    title: 'group overwrites the field that it groups by',
    items: [{ stil: 'A' }, { stil: 'A' }],
    rules: [rule([always()], [act('stil', 'group', { field: 'stil' })])],
    expected: [{ stil: '1' }, { stil: '1' }],
  },
  {
    title: 'unset excludes an item, and the actions after it have no effect on it',
    items: [{ wert: 'weg' }, { wert: 'da' }],
    rules: [rule([when('wert', 'is_equal', 'weg')], [exclude(), act('wert', 'set', 'x')])],
    expected: ['left', { wert: 'da' }],
  },
];
