import { calculate, changeCases, type Case, type Fields } from './case.ts';

const price = (text: string | null): Fields => ({ preis: text });
const both = (from: string | null, to: string | null): readonly [Fields, Fields] => [price(from), price(to)];

/** RUL-05: calculations. */
export const calculationCases: Case[] = [
  ...changeCases(
    'multiply by 1.19',
    [calculate('preis', 'multiply', '1.19')],
    [
      both('100', '119.00'),
      both('9,99', '11.89'),
      both('1.234,56 €', '1469.13'),
      both('-10', '-11.90'),
      both('0', '0.00'),
      both(null, null),
      both('auf Anfrage', 'auf Anfrage'),
      both('0,01', '0.01'),
      both('999999999999999999', '999999999999999999'),
    ],
  ),
  ...changeCases(
    'multiply by 0.5 rounds half away from zero',
    [calculate('preis', 'multiply', '0.5')],
    [
      both('0,01', '0.01'),
      both('-0,01', '-0.01'),
      both('2.345', '1.17'),
      both('2,35', '1.18'),
      both('0.009', '0.00'),
      both('-0.009', '0.00'),
    ],
  ),
  ...changeCases(
    'divide by 3',
    [calculate('preis', 'divide', '3')],
    [
      both('10', '3.33'),
      both('20', '6.67'),
      both('-20', '-6.67'),
      both('0', '0.00'),
      both('1', '0.33'),
      both('123456789012345678', '41152263004115226.00'),
    ],
  ),
  ...changeCases(
    'divide by 8 rounds half away from zero',
    [calculate('preis', 'divide', '8')],
    [both('1', '0.13'), both('-1', '-0.13'), both('0.04', '0.01')],
  ),
  ...changeCases(
    'divide at the limits of the fast path',
    [calculate('preis', 'divide', { field: 'teiler' })],
    (
      [
        ['999999.999999', '0.001', '1000000000.00'],
        ['1000000', '1000000', '1.00'],
        ['999999999', '0.0009', '1111111110000.00'],
        ['1234567', '1234567', '1.00'],
        ['-999999.99', '999999.99', '-1.00'],
      ] as const
    ).map(
      ([preis, teiler, result]) =>
        [
          { preis, teiler },
          { preis: result, teiler },
        ] as const,
    ),
  ),
  ...changeCases('divide by 0', [calculate('preis', 'divide', '0')], [both('10', '10'), both('0', '0')]),
  ...changeCases(
    'add 0.1',
    [calculate('preis', 'add', '0.1')],
    [both('0,2', '0.30'), both('1.999,90', '2000.00'), both('-0.1', '0.00'), both('x', 'x')],
  ),
  ...changeCases(
    'subtract 0.01',
    [calculate('preis', 'subtract', '0.01')],
    [both('10', '9.99'), both('0', '-0.01'), both('0,014', '0.00'), both('0.015', '0.01')],
  ),
  ...changeCases('add without a number', [calculate('preis', 'add', '')], [both('10', '10')]),
  ...changeCases(
    'multiply by a field',
    [calculate('preis', 'multiply', { field: 'faktor' })],
    [
      [
        { preis: '10', faktor: '1,5' },
        { preis: '15.00', faktor: '1,5' },
      ],
      [
        { preis: '10', faktor: null },
        { preis: '10', faktor: null },
      ],
      [
        { preis: '10', faktor: 'x' },
        { preis: '10', faktor: 'x' },
      ],
    ],
  ),
  ...changeCases(
    'divide by a field',
    [calculate('preis', 'divide', { field: 'teiler' })],
    [
      [
        { preis: '1', teiler: '-3' },
        { preis: '-0.33', teiler: '-3' },
      ],
      [
        { preis: '1', teiler: '0,00' },
        { preis: '1', teiler: '0,00' },
      ],
      [
        { preis: '1', teiler: '0,0000000001' },
        { preis: '10000000000.00', teiler: '0,0000000001' },
      ],
      [
        { preis: '999999999999', teiler: '0,0000000001' },
        { preis: '999999999999', teiler: '0,0000000001' },
      ],
    ],
  ),
  ...changeCases(
    'multiply from another field',
    [calculate('preis', 'multiply', '2', 'ek')],
    [
      [
        { preis: '1', ek: '5' },
        { preis: '10.00', ek: '5' },
      ],
      [
        { preis: '1', ek: null },
        { preis: '1', ek: null },
      ],
      [
        { preis: null, ek: '2,5' },
        { preis: '5.00', ek: '2,5' },
      ],
    ],
  ),
  ...changeCases(
    'numbers beyond 18 digits',
    [calculate('preis', 'multiply', { field: 'mal' })],
    [
      [
        { preis: '999999999', mal: '999999999' },
        { preis: '999999998000000001.00', mal: '999999999' },
      ],
      [
        { preis: '9999999999', mal: '9999999999' },
        { preis: '9999999999', mal: '9999999999' },
      ],
      [
        { preis: '1000000000000000000', mal: '0,1' },
        { preis: '1000000000000000000', mal: '0,1' },
      ],
    ],
  ),
  ...changeCases(
    'a sum of more than 18 digits',
    [calculate('preis', 'add', '999999999999999999.99')],
    [both('0,01', '0,01'), both('-1', '999999999999999998.99')],
  ),
  ...changeCases(
    'a single number calculates with the field itself',
    [{ ...calculate('preis', 'add', '1'), value: [{ type: '_number', value: '1' }] }],
    [both('1', '2.00')],
  ),
  ...changeCases(
    'a calculation without operator',
    [{ ...calculate('preis', 'add', '1'), actionOperator: '' }],
    [both('1', '1')],
  ),
];
