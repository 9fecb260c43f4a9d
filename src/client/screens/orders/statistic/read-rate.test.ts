import { expect, it } from 'vitest';
import { readRate, shownRate, typedRate } from './read-rate.ts';

it('reads an exchange rate in German notation', () => {
  expect(['4,2435', '4.2435', ' 24 ', '1.234,5', '0,000001'].map(readRate)).toEqual([
    4.2435, 4.2435, 24, 1234.5, 0.000001,
  ]);
  expect(['', '0', '-1', '4,2435678', 'vier', '1,2,3'].map(readRate)).toEqual(Array.from({ length: 6 }));
});

it('shows a rate as it is typed, also a very small one', () => {
  expect([4.2, 24, 100, 0.000001, undefined].map(typedRate)).toEqual(['4,2', '24', '100', '0,000001', '']);
});

it('the input follows a newly stored rate, unless the user has typed another one meanwhile', () => {
  expect(shownRate({ text: '4,20', known: undefined, rate: 4.2 })).toBe('4,2');
  expect(shownRate({ text: '4,2', known: 4.2, rate: 4.3 })).toBe('4,3');
  expect(shownRate({ text: '4,2', known: 4.2, rate: undefined })).toBe('');
  expect(shownRate({ text: '', known: 4.2, rate: undefined })).toBe('');
  expect(shownRate({ text: '4,', known: 4.2, rate: undefined })).toBe('4,');
  expect(shownRate({ text: '4,35', known: 4.2, rate: 4.3 })).toBe('4,35');
});
