import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDifference, parsePrice } from './price-text.ts';

describe('prices in item fields', () => {
  it.each([
    ['12', 1200],
    ['12.5', 1250],
    ['12,50', 1250],
    ['0,05', 5],
    ['1.299,00', 129_900],
    ['1,299.00', 129_900],
    ['1.234.567,89', 123_456_789],
    ['EUR 12,50', 1250],
    ['12,50 €', 1250],
    [' 1 299,00 ', 129_900],
    ['12.5000', 1250],
    [12, 1200],
    [12.5, 1250],
    [0.29, 29],
  ])('REP-19 %j is %i cents', (value, cents) => {
    expect(parsePrice(value, 'half')).toBe(cents);
  });

  it.each([
    '1.299',
    '1,299',
    '',
    ' ',
    '€',
    '0',
    '0,00',
    '-5',
    '+5',
    '12.',
    '.5',
    '1.2.3',
    '1.299.000',
    '1299.00,5',
    '12,5.0',
    '1.2345,00',
    '1.234567,00',
    '1234.567,00',
    '.234,00',

    '12 USD',
    'zwölf',
    'NaN',
    'Infinity',
    '1e3',
    '١٢',
    '0x10',
    '12,50 EURO',
    '1'.repeat(40),
    0,
    -1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1e21,
    1e-7,
    true,
    null,
    undefined,
    {},
    ['12'],
  ])('REP-19 %j is no price', (value) => {
    expect(parsePrice(value, 'half')).toBeUndefined();
  });

  it.each([
    ['10.0041', 1001, 1000, 1000],
    ['10.0050', 1001, 1000, 1001],
    ['1.000,009', 100_001, 100_000, 100_001],
    [10.001, 1001, 1000, 1000],
    ['10.0000', 1000, 1000, 1000],
    ['0.0001', 1, undefined, undefined],
  ])('REP-19 %j: minimum up to %i, maximum down to %i, standard half up to %i', (value, up, down, half) => {
    expect([parsePrice(value, 'up'), parsePrice(value, 'down'), parsePrice(value, 'half')]).toEqual([up, down, half]);
  });

  it('REP-19 every number of cents survives being written and read', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999_999 }), (cents) => {
        const written = (cents / 100).toFixed(2);
        return [written, written.replace('.', ','), Number(written)].every(
          (text) => parsePrice(text, 'down') === cents,
        );
      }),
    );
  });

  it('REP-06 a price difference is read exactly', () => {
    for (let cents = 0; cents < 100; cents++) {
      expect(parseDifference((cents / 100).toFixed(2))).toBe(cents);
      expect(parseDifference(cents / 100)).toBe(cents);
    }
    for (const wrong of ['', '1', '1.00', '0,5', '-0.01', '0.001', 'x', Number.NaN, 1])
      expect(parseDifference(wrong)).toBeUndefined();
  });
});
