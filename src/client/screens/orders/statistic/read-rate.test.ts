import { expect, it } from 'vitest';
import { readRate } from './read-rate.ts';

it('reads a rate as Germans type it', () => {
  expect(['4,2435', '4.2435', ' 24 ', '1.234,5', '0,000001'].map(readRate)).toEqual([
    4.2435, 4.2435, 24, 1234.5, 0.000001,
  ]);
  expect(['', '0', '-1', '4,2435678', 'vier', '1,2,3'].map(readRate)).toEqual(Array.from({ length: 6 }));
});
