import { expect, it } from 'vitest';
import { boundedNumber } from './bounded-number.ts';

it('an emptied field has no number; numbers are clamped to the bounds', () => {
  const numbers = ['', ' ', '-', 0, 24, '12', 800].map((typed) => boundedNumber(typed, { min: 1, max: 720 }));
  expect(numbers).toEqual([undefined, undefined, undefined, 1, 24, 12, 720]);
});

it('a number with a fraction is not a count: it is neither rounded nor read without its comma', () => {
  expect([2.5, '2.5', 2.999].map((typed) => boundedNumber(typed, { min: 1, max: 720 }))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
