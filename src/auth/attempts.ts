import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';
import { KontorError } from '#platform/errors.ts';

const FORGET_MS = 60 * 60 * 1000;
const FIRST_WAIT_SECONDS = 30;
const LONGEST_WAIT_SECONDS = 15 * 60;

/** An attempt that has been counted. */
export type CountedAttempt = {
  /** Removes it from the count, because it was not a failure. */
  release: () => Promise<void>;
};

/**
 * Limits failed attempts per key (T16): `limit` are free, then each waits twice as long as the one before, from half a minute to
 * a quarter of an hour, until an hour passes without an attempt. An attempt is counted before its work begins, not after it
 * failed: otherwise concurrent attempts would get past the limit. The counts are in the database, shared by all processes.
 */
export class Attempts {
  private readonly database: Database;
  private readonly clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.database = database;
    this.clock = clock;
  }

  /** Counts an attempt. @throws 429 with the seconds to wait if it comes too early */
  async take(key: string, limit: number): Promise<CountedAttempt> {
    const now = this.clock.now();
    const forget = new Date(now.getTime() + FORGET_MS);
    const again = pg<number>`case when sign_in_tries.forget_at <= ${now} then 1 else sign_in_tries.failures + 1 end`;
    const wait = pg<number>`least(${LONGEST_WAIT_SECONDS}::int, ${FIRST_WAIT_SECONDS}::int * power(2, least(${again} - ${limit}::int, 10)))`;
    // One statement: a concurrent attempt waits for the row lock and then sees this one counted.
    const counted = await this.database.kysely
      .insertInto('sign_in_tries')
      .values({ key, failures: 1, forget_at: forget })
      .onConflict((conflict) =>
        conflict
          .column('key')
          .doUpdateSet({
            failures: again,
            // Kysely cannot express the sum of a time and an interval.
            blocked_until: pg<Date>`case when ${again} >= ${limit}::int then ${now}::timestamptz + make_interval(secs => ${wait}) end`,
            forget_at: forget,
          })
          .where((eb) =>
            eb.or([
              eb('sign_in_tries.blocked_until', 'is', null),
              eb('sign_in_tries.blocked_until', '<=', now),
              // No wait is as long as that: the clock was ahead when the attempt was counted.
              eb('sign_in_tries.blocked_until', '>', new Date(now.getTime() + LONGEST_WAIT_SECONDS * 1000)),
              eb('sign_in_tries.forget_at', '<=', now),
            ]),
          ),
      )
      .returning('failures')
      .executeTakeFirst();
    if (counted === undefined) throw tooMany(await this.waitOf(key, now));
    return { release: () => this.release(key, limit) };
  }

  /** Forgets the attempts of `key`, and expired ones of other keys. */
  async clear(key: string): Promise<void> {
    await this.database.kysely
      .deleteFrom('sign_in_tries')
      .where((eb) => eb.or([eb('key', '=', key), eb('forget_at', '<', this.clock.now())]))
      .execute();
  }

  private async release(key: string, limit: number): Promise<void> {
    await this.database.kysely
      .updateTable('sign_in_tries')
      .set((eb) => ({
        failures: eb('failures', '-', 1),
        blocked_until: eb.case().when('failures', '>', limit).then(eb.ref('blocked_until')).else(null).end(),
      }))
      .where('key', '=', key)
      .where('failures', '>', 0)
      .execute();
  }

  private async waitOf(key: string, now: Date): Promise<number> {
    const found = await this.database.kysely
      .selectFrom('sign_in_tries')
      .select('blocked_until')
      .where('key', '=', key)
      .executeTakeFirst();
    return Math.max(1, Math.ceil(((found?.blocked_until?.getTime() ?? 0) - now.getTime()) / 1000));
  }
}

/** Removes an attempt from the count if its work could not be done, and rethrows the error. */
export const releaseAndRethrow =
  ({ release }: CountedAttempt) =>
  async (error: unknown): Promise<never> => {
    await release();
    throw error;
  };

const tooMany = (seconds: number) =>
  new KontorError(
    429,
    'too_many_attempts',
    `Zu viele Anmeldeversuche. Bitte in ${seconds > 60 ? `${Math.ceil(seconds / 60)} Minuten` : 'einer Minute'} erneut versuchen.`,
    { retryAfter: seconds },
  );
