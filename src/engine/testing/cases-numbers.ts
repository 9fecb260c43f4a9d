import { act, operatorCases, rule, when, type Case, type Fields } from './case.ts';

const nbsp = '\u00a0';
const narrow = '\u202f';

/** One case whose items have the given values and are marked by the rule; it must hold for the values with a '!'. */
function ranking(
  title: string,
  select: 'is_in_highest' | 'is_in_lowest',
  count: string | { field: string },
  marked: readonly string[],
  more: Fields = {},
): Case {
  const items = marked.map((text) => ({ wert: text.replace('!', '') || null, ...more }));
  return {
    title,
    items,
    rules: [rule([when('wert', select, count)], [act('treffer', 'set', 'ja')])],
    expected: items.map((item, at) => (marked[at]?.endsWith('!') ? { ...item, treffer: 'ja' } : item)),
  };
}

/** RUL-03: number operators, with numbers as merchants write them. */
export const numberCases: Case[] = [
  ...operatorCases('is_greater_than', '9', {
    holds: [
      '10',
      '9,01',
      '1.234,56',
      '1,234.56',
      '9.5',
      '10 €',
      '€ 10',
      'EUR 9,50',
      '9,50eur',
      ' 12 ',
      `1${nbsp}234,5`,
      `1${narrow}000`,
      '+10',
      '$10',
      '1.000.000',
      '1.299 €',
      'EUR 1,299',
      `+1.299${nbsp}€`,
    ],
    fails: [
      '9',
      '9,00',
      '8.99',
      '-10',
      null,
      '',
      'zehn',
      '1e5',
      '10 Stück',
      '0x10',
      '12.05.2024',
      '1.2.3',
      '--10',
      '10-',
      '1 0',
      '٣٤',
      '1.299',
      '0.299 €',
      '-1.299 €',
    ],
  }),
  ...operatorCases('is_greater_than', '1.234,56', { holds: ['1234,57', '1.234,561'], fails: ['1234.56', '1.234'] }),
  ...operatorCases('is_greater_than', '1234.5', { holds: ['1.234,51'], fails: ['1.234,50', '1.234'] }),
  ...operatorCases('is_greater_than', 'viel', { fails: ['10', null] }),
  ...operatorCases('is_greater_than', '', { fails: ['10', null] }),
  ...operatorCases(
    'is_greater_than',
    { field: 'uvp' },
    {
      holds: [{ wert: '10', uvp: '9,99' }],
      fails: [
        { wert: '9', uvp: '10' },
        { wert: '9', uvp: null },
        { wert: '9', uvp: 'x' },
        { wert: null, uvp: '1' },
      ],
    },
  ),
  ...operatorCases('is_greater_than', '0.1', { holds: ['0.10000001', ',2', '.11'], fails: ['0.1', '0,1000', '.1'] }),
  ...operatorCases('is_greater_than', '-1', { holds: ['-0,5', '0', '−0,9'], fails: ['-1', '-1,5', '−2'] }),
  ...operatorCases('is_greater_than', '9007199254740992', {
    holds: ['9007199254740993', '9.007.199.254.740.993'],
    fails: ['9007199254740992'],
  }),
  ...operatorCases('is_greater_than', '0', {
    holds: ['9999999999999999999999999999', '0,0000000001', '0,00000000005', '5.', '5,'],
    fails: [
      '99999999999999999999999999999',
      '0,00000000004',
      '-0',
      '1.23,4',
      '12,34,567',
      '1.234.56',
      '1,23.456,7',
      '€',
      'EUR',
      ',',
      '.',
      '-',
      '1 23',
      `1 2345`,
    ],
  }),
  ...operatorCases('is_greater_equal', '10', { holds: ['10', '10,00', '11'], fails: ['9,99', '9', null] }),
  ...operatorCases(
    'is_greater_equal',
    { field: 'b' },
    { holds: [{ wert: '1.000', b: '1' }], fails: [{ wert: '1', b: '1.000,00' }] },
  ),
  ...operatorCases('is_less_than', '10', {
    holds: ['9', '9,99', '-5', '2 €'],
    fails: ['10', '10.0', null, 'neun', '100'],
  }),
  ...operatorCases(
    'is_less_than',
    { field: 'b' },
    {
      holds: [{ wert: '9', b: '10' }],
      fails: [
        { wert: '10', b: '9' },
        { wert: '1', b: null },
      ],
    },
  ),
  ...operatorCases('is_less_equal', '10', { holds: ['10', '9'], fails: ['10,01', null] }),
  ...operatorCases('is_less_equal', '-2.5', { holds: ['-2,5', '-3'], fails: ['-2', '0'] }),
  ranking('is_in_highest includes ties', 'is_in_highest', '2', ['5', '7!', '7!', '9!', '', 'x']),
  ranking('is_in_highest compares numbers, not texts', 'is_in_highest', '1', ['9', '10!', '1,5', '-20']),
  ranking('is_in_highest with a count above the number of items holds for all numbers', 'is_in_highest', '10', [
    '1!',
    '2!',
    '',
    'x',
  ]),
  ranking('is_in_highest 0 holds for no item', 'is_in_highest', '0', ['1', '2']),
  ranking('is_in_highest without a number holds for no item', 'is_in_highest', 'drei', ['1', '2']),
  ranking('is_in_highest with a fraction holds for no item', 'is_in_highest', '1,5', ['1', '2']),
  ranking('is_in_highest without numbers', 'is_in_highest', '1', ['', 'x']),
  ranking('is_in_highest reads its count from a field', 'is_in_highest', { field: 'n' }, ['5', '7!', '7!', '9!'], {
    n: '2',
  }),
  ranking('is_in_highest with a fraction from a field', 'is_in_highest', { field: 'n' }, ['5', '7'], { n: '1,5' }),
  ranking('is_in_lowest includes ties', 'is_in_lowest', '2', ['5!', '5!', '7', '9', '']),
  ranking('is_in_lowest counts items, not distinct values', 'is_in_lowest', '3', ['5!', '5!', '7!', '7!', '9']),
  ranking('is_in_lowest reads German numbers', 'is_in_lowest', '1', ['1.000', '0,99!', '2 €', '1.234,00']),
  ranking('is_in_lowest reads its count from a field', 'is_in_lowest', { field: 'n' }, ['5!', '7', '4!'], { n: '2' }),
];
