import { describe, expect, it } from 'vitest';
import {
  addDays,
  berlinDay,
  comparedDays,
  dayCount,
  daysOf,
  formatRange,
  formatWeekday,
  isDay,
  presetOf,
  rangePresets,
  readDay,
} from './days.ts';

describe('days', () => {
  it('ORD-01 a time belongs to its calendar day in Berlin', () => {
    expect(berlinDay(new Date('2026-10-24T22:30:00Z'))).toBe('2026-10-25');
    expect(berlinDay(new Date('2026-10-25T22:59:59Z'))).toBe('2026-10-25');
    expect(berlinDay(new Date('2026-10-25T23:00:00Z'))).toBe('2026-10-26');
    expect(berlinDay(new Date('2026-03-28T23:00:00Z'))).toBe('2026-03-29');
    expect(berlinDay(new Date('2026-03-29T21:59:59Z'))).toBe('2026-03-29');
  });

  it('ORD-03 days of 23 and of 25 hours each count as one day', () => {
    expect(daysOf({ start: '2026-03-28', end: '2026-03-30' })).toEqual(['2026-03-28', '2026-03-29', '2026-03-30']);
    expect(daysOf({ start: '2026-10-24', end: '2026-10-26' })).toEqual(['2026-10-24', '2026-10-25', '2026-10-26']);
    expect(addDays('2026-10-26', -2)).toBe('2026-10-24');
    expect(dayCount({ start: '2026-01-01', end: '2026-12-31' })).toBe(365);
  });

  it('ORD-01 the presets end today or with a past period', () => {
    const of = (today: string) => Object.fromEntries(rangePresets.map((preset) => [preset.label, preset.of(today)]));
    expect(of('2028-03-01')).toEqual({
      Heute: { start: '2028-03-01', end: '2028-03-01' },
      Gestern: { start: '2028-02-29', end: '2028-02-29' },
      'Letzte 7 Tage': { start: '2028-02-24', end: '2028-03-01' },
      'Letzte 30 Tage': { start: '2028-02-01', end: '2028-03-01' },
      'Dieser Monat': { start: '2028-03-01', end: '2028-03-01' },
      'Letzter Monat': { start: '2028-02-01', end: '2028-02-29' },
    });
    expect(of('2027-01-15')['Letzter Monat']).toEqual({ start: '2026-12-01', end: '2026-12-31' });
  });

  const today = '2026-11-30';
  const range = (start: string, end: string) => ({ start, end });

  it('a range is compared with the same number of days before it, whether or not it happens to be a whole month', () => {
    for (const [start, end, from, until] of [
      ['2026-11-17', '2026-11-23', '2026-11-10', '2026-11-16'],
      ['2026-11-23', '2026-11-23', '2026-11-22', '2026-11-22'],
      ['2026-03-01', '2026-03-31', '2026-01-29', '2026-02-28'],
      ['2026-02-01', '2026-03-31', '2025-12-04', '2026-01-31'],
    ] as const)
      expect(comparedDays(range(start, end), today)).toEqual({ over: range(start, end), earlier: range(from, until) });
  });

  it('a month is compared with the month before, one that is not over with its same days', () => {
    const of = (day: string, label: string) => {
      const preset = rangePresets.find((one) => one.label === label);
      return preset && comparedDays(preset.of(day), day, preset.ofMonth);
    };
    expect(of('2026-03-15', 'Letzter Monat')?.earlier).toEqual(range('2026-01-01', '2026-01-31'));
    expect(of('2026-11-30', 'Dieser Monat')).toEqual({
      over: range('2026-11-01', '2026-11-29'),
      earlier: range('2026-10-01', '2026-10-29'),
    });
    expect(of('2026-03-31', 'Dieser Monat')?.earlier).toEqual(range('2026-02-01', '2026-02-28'));
    expect(of('2026-03-01', 'Dieser Monat')).toBeNull();
  });

  it.each(['2026-02-28', '2026-03-01', '2026-10-31', '2026-11-30', '2028-02-29'])(
    'on %s no range is compared as if today were over',
    (day) => {
      for (const { of, ofMonth } of rangePresets) {
        const compared = comparedDays(of(day), day, ofMonth);
        expect(compared === null || compared.over.end < day).toBe(true);
        if (compared !== null && ofMonth !== true) expect(dayCount(compared.earlier)).toBe(dayCount(compared.over));
      }
      expect(comparedDays(range(day, day), day)).toBeNull();
    },
  );

  it('of two presets with the same days, the chosen one is named; a label for other days is ignored', () => {
    const named = (chosen: string | null, day = today, days = range('2026-11-01', '2026-11-30')) =>
      presetOf(rangePresets, days, { today: day, chosen })?.label;
    expect([named('Dieser Monat'), named('Letzte 30 Tage'), named(null)]).toEqual([
      'Dieser Monat',
      'Letzte 30 Tage',
      'Letzte 30 Tage',
    ]);
    expect(named('Heute')).toBe('Letzte 30 Tage');
    expect(named('Dieser Monat', '2026-11-29')).toBeUndefined();
    expect(named('Dieser Monat', '2026-03-01', range('2026-03-01', '2026-03-01'))).toBe('Dieser Monat');
  });

  it('tells existing days from others', () => {
    expect(['2026-02-28', '2028-02-29'].filter(isDay)).toHaveLength(2);
    expect(['0000-01-01', '1026-10-25', '9999-12-31'].filter(isDay)).toEqual([]);
    expect(['', '2026-02-29', '2026-13-01', '28.02.2026', '2026-2-1', '2026-02-28T00:00'].filter(isDay)).toEqual([]);
  });

  it('ORD-01 reads days in the German notations that users type', () => {
    // Digits alone must work: telephone keypads have no full stop.
    for (const text of ['05.01.2026', ' 5.1.2026', '5. 1. 2026', '5.1.26', '2026-01-05', '05012026'])
      expect(readDay(text)).toBe('2026-01-05');
    for (const text of ['', '31022026', '31.02.2026', '1/5/2026', '5.1.', '5.1.126', 'heute'])
      expect(readDay(text)).toBeUndefined();
  });

  it('writes days in German notation', () => {
    expect(formatRange({ start: '2026-10-25', end: '2026-10-25' })).toBe('25.10.2026');
    expect(formatRange({ start: '2026-10-25', end: '2026-11-23' })).toBe('25.10.2026\u00a0– 23.11.2026');
    expect(formatWeekday('2026-10-25')).toBe('So., 25.10.2026');
  });
});
