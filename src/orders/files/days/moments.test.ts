import { describe, expect, it } from 'vitest';
import { momentOf } from './moments.ts';

describe('moments in order files', () => {
  it('OIM-01 a German day with an offset keeps its day and month', () => {
    expect(momentOf('05.11.2026 10:30 +0100')).toBe('2026-11-05T09:30:00.000Z');
    expect(momentOf('05.11.2026 10:30:15-05:00')).toBe('2026-11-05T15:30:15.000Z');
    expect(momentOf('20.11.2026 10:30Z')).toBe('2026-11-20T10:30:00.000Z');
    expect(momentOf('2026-11-05 10:30:00 +0100')).toBe('2026-11-05T09:30:00.000Z');
    expect(momentOf('Fri, 20 Nov 2026 10:30:00 +0100')).toBe('2026-11-20T09:30:00.000Z');
  });

  it('OIM-01 a day with hyphens that may begin with its month is not read, whatever its number', () => {
    for (const day of ['05-11-2026', '20-11-2026', '05-11-2026 10:30', '05/11/2026 10:30 +0100'])
      expect(momentOf(day), day).toBe(day);
    expect(momentOf('Nov-05-2026')).toBe('2026-11-04T23:00:00.000Z');
    expect(momentOf('5-Nov-26')).toBe('2026-11-04T23:00:00.000Z');
  });

  it('OIM-01 the afternoon of twelve hours is read as such, and UTC as no time of Berlin', () => {
    for (const text of ['2026-11-20 2:05 PM', '20.11.2026 2:05 p.m.', '20.11.2026, 02:05:00 pm'])
      expect(momentOf(text), text).toBe('2026-11-20T13:05:00.000Z');
    expect(momentOf('20.11.2026 12:05 AM')).toBe('2026-11-19T23:05:00.000Z');
    for (const text of ['2026-11-20 10:30:00 UTC', '20.11.2026 10:30 GMT', '2026-11-20T10:30:00.000Z'])
      expect(momentOf(text), text).toBe('2026-11-20T10:30:00.000Z');
    expect(momentOf('2026-11-20 10:30:00.123456+00')).toBe('2026-11-20T10:30:00.123Z');
    expect(momentOf('2026-11-20 10:30:00+05:30')).toBe('2026-11-20T05:00:00.000Z');
    expect(momentOf('2026-11-20 10:30:00-0930')).toBe('2026-11-20T20:00:00.000Z');
    expect(momentOf('2026-11-20 10:30:00 CET')).toBe('2026-11-20T09:30:00.000Z');
  });

  it.each([
    ['2026-11-20 2:05 PM+01:00', '2026-11-20T13:05:00.000Z'],
    ['Nov 20, 2026 2:05 PM+01:00', '2026-11-20T13:05:00.000Z'],
    ['2026-11-20 10:30:00 GMT-0500', '2026-11-20T15:30:00.000Z'],
    ['2026/11/20 10:30:00 +0100', '2026-11-20T09:30:00.000Z'],
    ['Fri Nov 20 2026 10:30:00 GMT+0100', '2026-11-20T09:30:00.000Z'],
  ])('OIM-01 %s is read with its offset', (text, moment) => expect(momentOf(text)).toBe(moment));

  it('OIM-01 a time with an offset that cannot be read is no time of Berlin', () => {
    for (const text of ['2026-11-20 10:30:00 +1500', '20.11.2026 10:30 +5', '2026-11-20 10:30:00 EST-5'])
      expect(momentOf(text), text).toBe(text);
  });
});
