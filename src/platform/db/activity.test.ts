import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Activity } from './activity.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

it('the pause between polls grows from 5 to 30 s the longer nothing has changed', () => {
  const activity = new Activity();
  expect(activity.restMs()).toBe(5000);
  vi.advanceTimersByTime(60_000);
  expect(activity.restMs()).toBe(15_000);
  vi.advanceTimersByTime(3_600_000);
  expect(activity.restMs()).toBe(30_000);
  activity.changed();
  expect(activity.restMs()).toBe(5000);
  expect(activity.count).toBe(1);
});
