import type { Database } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';

/** Calls per second, and how many may be made at once. */
export type Rate = { perSecond: number; burst: number };

/** Rounding error that many small refills may add up to, in calls. */
const ROUNDING = 1e-9;

/**
 * Token buckets that limit calls by key; full at first, refilled over time. They are stored in the database and shared by all
 * processes: a marketplace counts calls from any of them. Do not use it inside a transaction.
 */
export class TokenBuckets {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  /** Takes up to `most` calls; returns how many may be made. */
  async take(key: string, { perSecond, burst }: Rate, most: number, now: Date): Promise<number> {
    if (most <= 0) return 0;
    const first = Math.max(0, Math.min(Math.floor(burst + ROUNDING), most));
    // Plain SQL: the builder has no difference of timestamps and no minimum. A clock that was put back refills nothing.
    const tokens = pg<number>`least(${burst}::float8, token_buckets.tokens
      + greatest(0, extract(epoch from ${now}::timestamptz - token_buckets.at)::float8) * ${perSecond}::float8)`;
    const granted = pg<number>`greatest(0, least(floor(${tokens} + ${ROUNDING}::float8), ${most}::float8))::int`;
    // One statement: a concurrent caller waits for the row and finds the calls taken. If none are left, nothing is written.
    const row = await this.database.kysely
      .insertInto('token_buckets')
      .values({ key, tokens: burst - first, granted: first, at: now })
      .onConflict((conflict) =>
        conflict
          .column('key')
          .doUpdateSet({ tokens: pg<number>`${tokens} - ${granted}`, granted, at: now })
          .where((eb) => eb.or([eb(granted, '>', 0), eb('token_buckets.at', '>', now)])),
      )
      .returning('granted')
      .executeTakeFirst();
    return row?.granted ?? 0;
  }

  /** Empties a bucket after the marketplace reported too many calls: no more until `seconds` have passed. */
  async empty(key: string, { perSecond }: Rate, seconds: number, now: Date): Promise<void> {
    const bucket = { tokens: 1 - seconds * perSecond, granted: 0, at: now };
    await this.database.kysely
      .insertInto('token_buckets')
      .values({ key, ...bucket })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(bucket))
      .execute();
  }
}
