import { expect, it } from 'vitest';
import { moneyText } from './money-text.ts';

it('GEN-01 money is written in German notation, with a no-break space before its sign', () => {
  expect([0, 5, 99, 123_450, 123_456_789].map((cents) => moneyText(cents))).toEqual([
    '0,00\u00a0€',
    '0,05\u00a0€',
    '0,99\u00a0€',
    '1.234,50\u00a0€',
    '1.234.567,89\u00a0€',
  ]);
  expect(moneyText(null)).toBe('–');
  expect(moneyText(-250)).toBe('\u22122,50\u00a0€');
  expect(moneyText(123_450, 'CHF')).toBe('1.234,50\u00a0CHF');
  expect(moneyText(123_450, 'Taler')).toBe('1.234,50\u00a0Taler');
});

it('GEN-01 a currency without minor units is written without decimals, unless an amount has some', () => {
  expect([150_000, 150_050, 0].map((cents) => moneyText(cents, 'JPY'))).toEqual([
    '1.500\u00a0¥',
    '1.500,50\u00a0¥',
    '0\u00a0¥',
  ]);
  expect(moneyText(150_000, 'SEK')).toBe('1.500,00\u00a0SEK');
});
