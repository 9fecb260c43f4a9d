import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Activity } from './activity.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const clock = { now: () => new Date() };

/** A rest that began when nothing had changed, and whether it is over. */
function restOf(activity: Activity, settleMs = 200, clockOf = clock) {
  const stop = new AbortController();
  const state = { over: false, stop };
  void activity.rest(activity.count, { clock: clockOf, settleMs, signal: stop.signal }).then(() => (state.over = true));
  return state;
}

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

it('a rest ends after the pause between polls, and a change ends it a moment later, together with the changes of that moment', async () => {
  const activity = new Activity();
  const rest = restOf(activity);
  await vi.advanceTimersByTimeAsync(4900);
  expect(rest.over).toBe(false);
  await vi.advanceTimersByTimeAsync(600);
  expect(rest.over).toBe(true);

  const changed = restOf(activity);
  activity.changed();
  await vi.advanceTimersByTimeAsync(150);
  activity.changed();
  expect(changed.over).toBe(false);
  await vi.advanceTimersByTimeAsync(50);
  expect(changed.over).toBe(true);
});

it('a change before the rest counts, and an abort ends the rest at once', async () => {
  const activity = new Activity();
  let over = false;
  activity.changed();
  void activity.rest(0, { clock, settleMs: 200, signal: new AbortController().signal }).then(() => (over = true));
  await vi.advanceTimersByTimeAsync(200);
  expect(over).toBe(true);

  const rest = restOf(activity);
  rest.stop.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(rest.over).toBe(true);
});

it('a clock that runs ahead ends a rest', async () => {
  let ahead = 0;
  const rest = restOf(new Activity(), 200, { now: () => new Date(Date.now() + ahead) });
  ahead = 60_000;
  await vi.advanceTimersByTimeAsync(500);
  expect(rest.over).toBe(true);
});

it('while everything rests, one timer wakes the machine; when nothing rests, none does', async () => {
  const activity = new Activity();
  const rests = Array.from({ length: 12 }, () => restOf(activity));
  expect(vi.getTimerCount()).toBe(1);
  for (const { stop } of rests) stop.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(vi.getTimerCount()).toBe(0);
});
