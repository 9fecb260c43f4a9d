import { expect, it } from 'vitest';
import { lookOrder } from './look-order.ts';

it('an answer is dropped where the look began before an act, or a later look has answered', () => {
  const order = lookOrder();
  const before = order.begin();
  order.outdate();
  const [first, second] = [order.begin(), order.begin()];
  expect([before(), second(), first()]).toEqual([false, true, false]);
  expect(order.begin()()).toBe(true);
});
