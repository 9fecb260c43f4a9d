import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import { KontorError } from '#platform/errors.ts';
import { TokenBuckets } from '#platform/token-buckets.ts';

/** People need a few, scanners thousands. */
const CHECKS = { perSecond: 5 / 60, burst: 10 };

/**
 * T3: a check connects to whatever it is told to. Each company has ten at once and five a minute, in all processes together; one counts
 * before it connects, whatever comes of it.
 */
export class ConnectionChecks {
  private readonly buckets: TokenBuckets;
  private readonly clock: Clock;
  private readonly what: string;

  /** `what` there were too many of: „Prüfungen“. */
  constructor({ database, clock }: { database: Database; clock: Clock }, what: string) {
    this.buckets = new TokenBuckets(database);
    this.clock = clock;
    this.what = what;
  }

  /** Not inside a transaction. @throws 429 when none is left */
  async take(company: string): Promise<void> {
    const granted = await this.buckets.take(`${company}/checks:${this.what}`, CHECKS, 1, this.clock.now());
    if (granted > 0) return;
    throw new KontorError(429, 'too_many_attempts', `Zu viele ${this.what}. Bitte in einer Minute erneut versuchen.`, {
      retryAfter: 60,
    });
  }
}
