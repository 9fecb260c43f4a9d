import { expect, it } from 'vitest';
import { hasArrived } from './clock.ts';

it('F16 work due in a minute is done also if the clock was set back by an hour meanwhile', () => {
  const [minute, now] = [60_000, Date.UTC(2026, 9, 25, 1)];
  expect(hasArrived(now + minute, now, minute)).toBe(false);
  expect(hasArrived(now + minute, now + minute, minute)).toBe(true);
  expect(hasArrived(now + minute, now - 60 * minute, minute)).toBe(true);
});
