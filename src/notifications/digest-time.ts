const zone = 'Europe/Berlin';
const parts = new Intl.DateTimeFormat('en-CA', {
  timeZone: zone,
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Returns the local time in Germany as milliseconds, as if it were UTC; only for computing differences. */
function wall(time: number): number {
  const of = Object.fromEntries(parts.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
  return Date.UTC(of['year'] ?? 0, (of['month'] ?? 1) - 1, of['day'], of['hour'], of['minute'], of['second']);
}

/** Returns the next time after `now` at which it is `hour` o'clock in Germany; for a skipped hour, the one after it. */
export function nextAtHour(now: Date, hour: number): Date {
  const time = now.getTime();
  const midnight = Math.floor(wall(time) / DAY) * DAY;
  for (const day of [0, 1, 2]) {
    const wallTime = midnight + day * DAY + hour * HOUR;
    const guess = wallTime - (wall(time) - time);
    // The clocks may change between `now` and then.
    const found = guess - (wall(guess) - wallTime);
    if (found > time) return new Date(found);
  }
  throw new Error('unreachable: a day has passed');
}
