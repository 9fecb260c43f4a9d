import { describe, expect, it } from 'vitest';
import { nextDue, nextDues } from './due-times.ts';
import type { ScheduleTimes } from './schema.ts';

type Plan = Pick<ScheduleTimes, 'active' | 'kind' | 'times' | 'weekdays' | 'minutes'>;
const daily = [1, 2, 3, 4, 5, 6, 7];
const at = (times: string[], weekdays = daily): Plan => ({ active: true, kind: 'times', times, weekdays, minutes: 60 });
const every = (minutes: number, weekdays = daily): Plan => ({
  active: true,
  kind: 'interval',
  times: [],
  weekdays,
  minutes,
});

// Clocks go forward on 29 March 2026 at 02:00 (01:00 UTC), back on 25 October 2026 at 03:00 (01:00 UTC).
const table: [string, Plan, string, string | undefined][] = [
  ['later today', at(['06:00', '18:00']), '2026-06-10T10:00:00Z', '2026-06-10T16:00:00Z'],
  ['unsorted times', at(['18:00', '06:00']), '2026-06-10T00:00:00Z', '2026-06-10T04:00:00Z'],
  ['tomorrow', at(['06:00']), '2026-06-10T10:00:00Z', '2026-06-11T04:00:00Z'],
  ['a time equal to now counts as past', at(['06:00']), '2026-06-10T04:00:00Z', '2026-06-11T04:00:00Z'],
  ['a millisecond before a time', at(['06:00']), '2026-06-10T03:59:59.999Z', '2026-06-10T04:00:00Z'],
  ['in winter an hour later in UTC', at(['06:00']), '2026-12-10T04:30:00Z', '2026-12-10T05:00:00Z'],
  ['Berlin is a day ahead of UTC', at(['00:30']), '2026-10-24T22:15:00Z', '2026-10-24T22:30:00Z'],
  ['midnight', at(['00:00']), '2026-06-10T21:59:00Z', '2026-06-10T22:00:00Z'],
  ['across the end of a year', at(['06:00']), '2026-12-31T12:00:00Z', '2027-01-01T05:00:00Z'],
  ['the last minute of the year', at(['23:59']), '2026-12-31T22:58:00Z', '2026-12-31T22:59:00Z'],
  ['new year in Berlin, old year in UTC', at(['00:15']), '2026-12-31T23:00:00Z', '2026-12-31T23:15:00Z'],
  ['on the leap day', at(['12:00']), '2028-02-28T12:00:00Z', '2028-02-29T11:00:00Z'],
  ['only on Mondays', at(['06:00'], [1]), '2026-06-09T10:00:00Z', '2026-06-15T04:00:00Z'],
  ['today is the only day and its time is past', at(['06:00'], [3]), '2026-06-10T10:00:00Z', '2026-06-17T04:00:00Z'],
  ['Sunday is weekday 7', at(['06:00'], [7]), '2026-06-10T10:00:00Z', '2026-06-14T04:00:00Z'],
  ['the weekday is the one in Berlin', at(['00:30'], [7]), '2026-10-24T21:00:00Z', '2026-10-24T22:30:00Z'],
  ['forward: before the gap', at(['01:59']), '2026-03-28T23:30:00Z', '2026-03-29T00:59:00Z'],
  ['forward: 02:00 does not exist', at(['02:00']), '2026-03-28T23:30:00Z', '2026-03-29T01:00:00Z'],
  ['forward: 02:30 does not exist', at(['02:30']), '2026-03-28T23:30:00Z', '2026-03-29T01:00:00Z'],
  ['forward: 02:59 does not exist', at(['02:59']), '2026-03-28T23:30:00Z', '2026-03-29T01:00:00Z'],
  ['forward: 02:30 does not run again at 03:00', at(['02:30']), '2026-03-29T01:00:00Z', '2026-03-30T00:30:00Z'],
  ['forward: after the gap', at(['03:00']), '2026-03-28T23:30:00Z', '2026-03-29T01:00:00Z'],
  [
    'forward: 02:30 and 03:00 are the same moment',
    at(['02:30', '03:00']),
    '2026-03-29T01:00:00Z',
    '2026-03-30T00:30:00Z',
  ],
  ['back: 02:30 runs the first time', at(['02:30']), '2026-10-24T23:00:00Z', '2026-10-25T00:30:00Z'],
  ['back: 02:30 does not run a second time', at(['02:30']), '2026-10-25T00:30:00Z', '2026-10-26T01:30:00Z'],
  ['back: 02:00 runs the first time', at(['02:00']), '2026-10-24T23:00:00Z', '2026-10-25T00:00:00Z'],
  ['back: 03:00 exists only once', at(['03:00']), '2026-10-25T00:30:00Z', '2026-10-25T02:00:00Z'],
  ['an interval counts from midnight', every(15), '2026-06-10T10:07:00Z', '2026-06-10T10:15:00Z'],
  ['an interval, at exactly one of its times', every(15), '2026-06-10T10:15:00Z', '2026-06-10T10:30:00Z'],
  [
    'an interval that does not divide the day starts again at midnight',
    every(420),
    '2026-06-10T19:30:00Z',
    '2026-06-10T22:00:00Z',
  ],
  ['an interval on weekdays', every(60, [1]), '2026-06-15T21:30:00Z', '2026-06-21T22:00:00Z'],
  ['an interval across the end of a year', every(5), '2026-12-31T22:57:00Z', '2026-12-31T23:00:00Z'],
  ['an interval continues in the repeated hour', every(30), '2026-10-25T01:00:00Z', '2026-10-25T01:30:00Z'],
  ['an interval skips the gap', every(30), '2026-03-29T00:30:00Z', '2026-03-29T01:00:00Z'],
  ['once a day', every(1440), '2026-06-10T10:00:00Z', '2026-06-10T22:00:00Z'],
  ['no weekday', at(['06:00'], []), '2026-06-10T10:00:00Z', undefined],
  ['no time', at([]), '2026-06-10T10:00:00Z', undefined],
  ['switched off', { ...at(['06:00']), active: false }, '2026-06-10T10:00:00Z', undefined],
];

describe('due times', () => {
  it.each(table)('%s', (_title, plan, after, due) => {
    expect(nextDue(plan, new Date(after))?.toISOString()).toBe(due === undefined ? due : new Date(due).toISOString());
  });

  it('a time at night is due once a day for a whole year, always at an existing time', () => {
    const dues = nextDues(at(['02:30']), new Date('2025-12-31T23:00:00Z'), 365);
    const day = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: 'Europe/Berlin' });
    expect(new Set(dues.map((due) => day.format(due))).size).toBe(365);
    expect(dues.at(-1)?.toISOString()).toBe('2026-12-31T01:30:00.000Z');
  });

  it('the day of 25 hours has twelve five-minute runs more, the one of 23 hours twelve less', () => {
    const count = (from: string, until: string) =>
      nextDues(every(5), new Date(new Date(from).getTime() - 1), 400).filter((due) => due < new Date(until)).length;
    expect(count('2026-06-09T22:00:00Z', '2026-06-10T22:00:00Z')).toBe(288);
    expect(count('2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z')).toBe(300);
    expect(count('2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z')).toBe(276);
  });
});
