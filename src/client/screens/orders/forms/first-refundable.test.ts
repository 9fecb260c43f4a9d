import { expect, it } from 'vitest';
import { firstRefundable } from './first-refundable.ts';

it('selects the first line that still has an amount to refund', () => {
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
