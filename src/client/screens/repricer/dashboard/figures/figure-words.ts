import type { BoxDay, RepricerFigures } from '#shared/repricer/dashboard.ts';

/** What the gate asks about again by itself, at a moment it knows. */
const passing: ReadonlySet<string> = new Set([
  'IN_FLIGHT',
  'TOO_SOON',
  'TOO_OFTEN',
  'OSCILLATING',
  'STEP_PAUSE',
  'CANARY',
]);

/** Whether none of these held prices waits for anybody. */
export const endsByItself = (held: RepricerFigures['held']): boolean => held.every(({ reason }) => passing.has(reason));

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
