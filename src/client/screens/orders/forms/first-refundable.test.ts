import { expect, it } from 'vitest';
import { firstRefundable } from './first-refundable.ts';

it('begins with a line of which something is left to give back', () => {
  const lines = [{ productid: 'a' }, { productid: 'b' }, { productid: 'c' }];
  const refundable = [
    { productid: 'a', cents: 0 },
    { productid: 'c', cents: 700 },
    { productid: 'b', cents: 709 },
  ];
  expect(firstRefundable(lines, refundable)).toBe('b');
  expect(firstRefundable(lines, [])).toBe('a');
  expect(firstRefundable([], [])).toBe('');
});
