import type { Clock } from '#platform/clock.ts';
import { KontorError } from '#platform/errors.ts';
import { singleProcessCounts, type SharedCounts } from './shared-counts.ts';

/** An attempt that has been counted. */
export type CountedTry = {
  /** Removes the attempt from the count, because it did not fail. */
  release: () => void;
};

/**
 * Limits failed attempts per key and time window; attempts of other processes count as well, a second late. Sign-in attempts are
 * in the database instead (auth/attempts.ts). An attempt counts before its work begins, not after it failed: concurrent attempts
 * get no more tries than sequential ones.
 */
export class FailureLimiter {
  private readonly clock: Clock;
  private readonly limit: number;
  private readonly windowMs: number;
  private readonly what: string;
  private readonly counts: SharedCounts;
  private readonly tries = new Map<string, { count: number; until: number }>();

  /** `what`: plural noun for the error message, e.g. „Anmeldeversuche“. */
  constructor(
    clock: Clock,
    { limit, windowMs, what }: { limit: number; windowMs: number; what: string },
    counts: SharedCounts = singleProcessCounts,
  ) {
    this.clock = clock;
    this.limit = limit;
    this.windowMs = windowMs;
    this.what = what;
    this.counts = counts;
  }

  /** Counts an attempt for `key`. @throws 429 with the seconds to wait when none are left */
  take(key: string): CountedTry {
    const now = this.clock.now().getTime();
    this.sweep(now);
    const known = this.tries.get(key);
    const entry = known === undefined || known.until <= now ? { count: 0, until: now + this.windowMs } : known;
    const shared = `${this.what}:${key}`;
    if (entry.count + this.counts.others(shared) >= this.limit)
      throw this.tooMany(Math.ceil((entry.until - now) / 1000));
    const count = (by: number) => {
      entry.count += by;
      this.counts.tell(shared, entry.count, entry.until - now);
    };
    count(1);
    this.tries.set(key, entry);
    let counted = true;
    return {
      release: () => {
        if (counted) count(-1);
        counted = false;
      },
    };
  }

  private sweep(now: number): void {
    if (this.tries.size <= 10_000) return;
    for (const [old, entry] of this.tries) if (entry.until <= now) this.tries.delete(old);
  }

  private tooMany(seconds: number): KontorError {
    return new KontorError(
      429,
      'too_many_attempts',
      `Zu viele ${this.what}. Bitte in ${seconds > 60 ? `${Math.ceil(seconds / 60)} Minuten` : 'einer Minute'} erneut versuchen.`,
      { retryAfter: seconds },
    );
  }
}
