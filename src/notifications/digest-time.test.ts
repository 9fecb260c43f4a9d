import { expect, it } from 'vitest';
import { nextAtHour } from './digest-time.ts';

it.each([
  ['later today', '2026-01-10T05:59:59Z', 7, '2026-01-10T06:00:00Z'],
  ['at that very hour, the next day', '2026-01-10T06:00:00Z', 7, '2026-01-11T06:00:00Z'],
  ['in summer', '2026-07-10T05:00:01Z', 7, '2026-07-11T05:00:00Z'],
  ['midnight in Germany, on the previous day in UTC', '2026-07-10T21:59:00Z', 0, '2026-07-10T22:00:00Z'],
  ['across the change to summer time', '2026-03-28T07:00:00Z', 7, '2026-03-29T05:00:00Z'],
  ['across the change to winter time', '2026-10-24T06:00:00Z', 7, '2026-10-25T06:00:00Z'],
  ['across the end of a year', '2026-12-31T23:30:00Z', 0, '2027-01-01T23:00:00Z'],
])('the daily summary is sent at an hour of German time: %s', (_case, now, hour, expected) => {
  expect(nextAtHour(new Date(now), hour).toISOString()).toBe(new Date(expected).toISOString());
});

it('a summary at an hour that the clock change skips is sent once, at about that time', () => {
  const next = nextAtHour(new Date('2026-03-28T12:00:00Z'), 2);
  expect(next.getTime()).toBeGreaterThanOrEqual(Date.parse('2026-03-29T00:00:00Z'));
  expect(next.getTime()).toBeLessThanOrEqual(Date.parse('2026-03-29T02:00:00Z'));
  expect(nextAtHour(next, 2).toISOString()).toBe('2026-03-30T00:00:00.000Z');
});
