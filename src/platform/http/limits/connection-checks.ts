import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import { KontorError } from '#platform/errors.ts';
import { TokenBuckets } from '#platform/token-buckets.ts';

/** Users need a few, port scanners thousands. */
const CHECKS = { perSecond: 5 / 60, burst: 10 };

/**
 * Limits the connection checks of a company, since a check connects to any host that it is given (T3): ten at once and five a
 * minute, over all processes. A check counts before it connects, whatever its result.
 */
export class ConnectionChecks {
  private readonly buckets: TokenBuckets;
  private readonly clock: Clock;
  private readonly what: string;

  /** `what`: plural noun for the error message, e.g. „Prüfungen“. */
  constructor({ database, clock }: { database: Database; clock: Clock }, what: string) {
    this.buckets = new TokenBuckets(database);
    this.clock = clock;
    this.what = what;
  }

  /** Counts a check. Call it outside of transactions. @throws 429 when none is left */
  async take(company: string): Promise<void> {
    const granted = await this.buckets.take(`${company}/checks:${this.what}`, CHECKS, 1, this.clock.now());
    if (granted > 0) return;
    throw new KontorError(429, 'too_many_attempts', `Zu viele ${this.what}. Bitte in einer Minute erneut versuchen.`, {
      retryAfter: 60,
    });
  }
}
