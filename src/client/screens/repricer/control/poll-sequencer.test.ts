import { expect, it } from 'vitest';
import { pollSequencer } from './poll-sequencer.ts';

it('a response is dropped if its request began before an action, or a later request was answered', () => {
  const order = pollSequencer();
  const before = order.begin();
  order.outdate();
  const [first, second] = [order.begin(), order.begin()];
  expect([before(), second(), first()]).toEqual([false, true, false]);
  expect(order.begin()()).toBe(true);
});
