import type { Clock } from '#platform/clock.ts';
import { KontorError } from '#platform/errors.ts';

/** An attempt that has been counted. */
export type CountedTry = {
  /** It was not a failure: takes it out of the count. */
  release: () => void;
};

/**
 * Limits failed attempts per key in a window, in this process alone; those of a sign-in stand in the database (auth/attempts.ts). An
 * attempt counts before its work begins, not after it failed: of many at once no more get through than one after the other.
 */
export class FailureLimiter {
  private readonly clock: Clock;
  private readonly limit: number;
  private readonly windowMs: number;
  private readonly what: string;
  private readonly tries = new Map<string, { count: number; until: number }>();

  /** `what` there were too many of: „Anmeldeversuche“. */
  constructor(clock: Clock, limit: number, windowMs: number, what: string) {
    this.clock = clock;
    this.limit = limit;
    this.windowMs = windowMs;
    this.what = what;
  }

  /** Counts an attempt of `key`. @throws 429 with the seconds to wait when none are left */
  take(key: string): CountedTry {
    const now = this.clock.now().getTime();
    this.sweep(now);
    const known = this.tries.get(key);
    const entry = known === undefined || known.until <= now ? { count: 0, until: now + this.windowMs } : known;
    if (entry.count >= this.limit) throw this.tooMany(Math.ceil((entry.until - now) / 1000));
    entry.count++;
    this.tries.set(key, entry);
    let counted = true;
    return {
      release: () => {
        if (counted) entry.count--;
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
