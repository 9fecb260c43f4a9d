import { expect, it } from 'vitest';
import { percentOf } from './percent.ts';

it('CAT-01 shows 100 % only if nothing is open, and 0 % only if nothing is done', () => {
  expect([percentOf(9996, 10_000), percentOf(9_999_999, 10_000_000)]).toEqual([99.9, 99.9]);
  expect([percentOf(4, 10_000), percentOf(1, 10_000_000)]).toEqual([0.1, 0.1]);
  expect([percentOf(0, 0), percentOf(0, 5), percentOf(5, 5), percentOf(1, 3)]).toEqual([0, 0, 100, 33.3]);
});
