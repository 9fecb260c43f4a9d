import { expect, it } from 'vitest';
import { DayRange } from '#shared/values/day-range.ts';
import { percentDifference } from './dashboard.ts';

it('RDA-08 the difference in percent is blank if a price is no number or the standard price is 0', () => {
  expect(percentDifference(11, 10)).toBeCloseTo(10);
  expect(percentDifference('9.50', '10')).toBeCloseTo(-5);
  expect(percentDifference(10, 10)).toBe(0);
  expect(percentDifference(0, 10)).toBe(-100);
  for (const [price, standard] of [
    [11, 0],
    [11, '0.00'],
    [null, 10],
    [10, null],
    ['', 10],
    [10, ' '],
    ['auf Anfrage', 10],
    [Number.NaN, 10],
    [10, Infinity],
    [undefined, undefined],
    [[10], 10],
    [true, 10],
  ])
    expect([price, standard, percentDifference(price, standard)]).toEqual([price, standard, undefined]);
});

it('RDA-01 a range of days must not be reversed, too long or contain invalid days', () => {
  const fits = (start: string, end: string) => DayRange.safeParse({ start, end }).success;
  expect(fits('2026-11-01', '2026-11-01')).toBe(true);
  expect(fits('2026-11-02', '2026-11-01')).toBe(false);
  expect(fits('2020-01-01', '2026-11-01')).toBe(false);
  expect(fits('2026-02-30', '2026-03-01')).toBe(false);
});
