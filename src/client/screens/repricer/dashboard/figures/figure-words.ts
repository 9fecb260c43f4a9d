import type { BoxDay } from '#shared/repricer/dashboard.ts';

/** The share of time in which our offers held the box; null where nothing was known. */
export function shareOf(days: readonly BoxDay[]): number | null {
  const observed = days.reduce((sum, day) => sum + day.observed, 0);
  return observed === 0 ? null : days.reduce((sum, { box }) => sum + box, 0) / observed;
}

/** The share of each of these days; null where nothing was known. */
export function sharesOf(days: readonly string[], known: readonly BoxDay[]): (number | null)[] {
  const byDate = new Map(known.map((day) => [day.date, day]));
  return days.map((date) => shareOf([byDate.get(date)].filter((day) => day !== undefined)));
}
