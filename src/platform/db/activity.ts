/** How long work that found nothing rests at least, and at most, while nobody changes anything. */
const REST_MS = { least: 5000, most: 30_000 };
/** The share of the time without any change. */
const SHARE = 0.25;

/**
 * Whether anything changes in the database: what looks for work may rest while nobody makes any, so that only the clock makes something
 * due. The longer nothing has happened, the longer a rest: what falls due some time after the last change comes late by a quarter of it.
 */
export class Activity {
  count = 0;
  private at = performance.now();

  changed(): void {
    this.count++;
    this.at = performance.now();
  }

  /** How long to rest from now on, unless something changes. */
  restMs(): number {
    return Math.min(REST_MS.most, Math.max(REST_MS.least, (performance.now() - this.at) * SHARE));
  }
}
