import type { BoxDay, RepricerFigures } from '#shared/repricer/dashboard.ts';

/** Reasons for holding a price that the gate checks again by itself at a known time. */
const passing: ReadonlySet<string> = new Set([
  'IN_FLIGHT',
  'TOO_SOON',
  'TOO_OFTEN',
  'OSCILLATING',
  'STEP_PAUSE',
  'CANARY',
]);

/** Tells whether none of these held prices needs a user. */
export const endsByItself = (held: RepricerFigures['held']): boolean => held.every(({ reason }) => passing.has(reason));

/** Returns the share of time in which our offers held the box; null if nothing was observed. */
export function shareOf(days: readonly BoxDay[]): number | null {
  const observed = days.reduce((sum, day) => sum + day.observed, 0);
  return observed === 0 ? null : days.reduce((sum, { box }) => sum + box, 0) / observed;
}

/** Returns the share of each of these days; null if nothing was observed. */
export function sharesOf(days: readonly string[], known: readonly BoxDay[]): (number | null)[] {
  const byDate = new Map(known.map((day) => [day.date, day]));
  return days.map((date) => shareOf([byDate.get(date)].filter((day) => day !== undefined)));
}
