import type { Clock } from '#platform/clock.ts';
import { KontorError } from '#platform/errors.ts';

/** Counts failures per key in a window and refuses further tries past the limit (T16). In memory: a restart forgives. */
export class FailureLimiter {
  private readonly clock: Clock;
  private readonly limit: number;
  private readonly windowMs: number;
  private readonly what: string;
  private readonly failures = new Map<string, { count: number; until: number }>();

  /** `what` there were too many of: „Anmeldeversuche“. */
  constructor(clock: Clock, limit: number, windowMs: number, what: string) {
    this.clock = clock;
    this.limit = limit;
    this.windowMs = windowMs;
    this.what = what;
  }

  /** Throws 429 with the seconds to wait when `key` has used up its tries. */
  check(key: string): void {
    const entry = this.failures.get(key);
    const now = this.clock.now().getTime();
    if (!entry || entry.until <= now) return;
    if (entry.count < this.limit) return;
    const seconds = Math.ceil((entry.until - now) / 1000);
    throw new KontorError(
      429,
      'too_many_attempts',
      `Zu viele ${this.what}. Bitte in ${Math.ceil(seconds / 60)} Minuten erneut versuchen.`,
      {
        retryAfter: seconds,
      },
    );
  }

  fail(key: string): void {
    const now = this.clock.now().getTime();
    if (this.failures.size > 10_000) {
      for (const [old, entry] of this.failures) if (entry.until <= now) this.failures.delete(old);
    }
    const entry = this.failures.get(key);
    if (!entry || entry.until <= now) this.failures.set(key, { count: 1, until: now + this.windowMs });
    else entry.count++;
  }

  clear(key: string): void {
    this.failures.delete(key);
  }
}
