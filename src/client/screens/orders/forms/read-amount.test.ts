import { expect, it } from 'vitest';
import { readAmount } from './read-amount.ts';

it.each([
  ['12', 1200],
  ['12,5', 1250],
  ['12,50 €', 1250],
  ['12.50', 1250],
  ['1.234,50', 123_450],
  ['1.234', 123_400],
  ['0,01', 1],
  ['', undefined],
  ['-5', undefined],
  ['12,345', undefined],
  ['zwölf', undefined],
  ['1e3', undefined],
  ['99999999999999999', undefined],
])('the amount „%s“ is %s cents', (text, cents) => {
  expect(readAmount(text)).toBe(cents);
});
