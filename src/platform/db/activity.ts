/** Shortest and longest rest, in ms, of work that found nothing to do while nothing changes. */
const REST_MS = { least: 5000, most: 30_000 };
/** Length of a rest, as a share of the time since the last change. */
const SHARE = 0.25;

/**
 * Tracks whether anything changes in the database. While nothing does, only time can make work due, and pollers may rest; the
 * longer nothing has changed, the longer they rest. Work due some time after the last change starts late by at most a quarter of
 * that time.
 */
export class Activity {
  count = 0;
  private at = performance.now();

  changed(): void {
    this.count++;
    this.at = performance.now();
  }

  /** Returns how long to rest in ms, unless something changes. */
  restMs(): number {
    return Math.min(REST_MS.most, Math.max(REST_MS.least, (performance.now() - this.at) * SHARE));
  }
}
