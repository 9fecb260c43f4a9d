import type { Database } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';

/** Calls a second, and how many may come at once. */
export type Rate = { perSecond: number; burst: number };

/** What a sum of many small refills misses of a whole call. */
const ROUNDING = 1e-9;

/**
 * How many calls may go out now, of each kind; full at first, refilled with the time that passes. The buckets stand in the database,
 * one for all processes: a marketplace counts calls, whoever makes them. Not to be asked inside a transaction.
 */
export class TokenBuckets {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  /** Takes up to `most` calls; what it returns may be made. */
  async take(key: string, { perSecond, burst }: Rate, most: number, now: Date): Promise<number> {
    if (most <= 0) return 0;
    const first = Math.max(0, Math.min(Math.floor(burst + ROUNDING), most));
    // The builder has no span between two moments, nor bounds of a number. A clock that was put back refills nothing.
    const tokens = pg<number>`least(${burst}::float8, token_buckets.tokens
      + greatest(0, extract(epoch from ${now}::timestamptz - token_buckets.at)::float8) * ${perSecond}::float8)`;
    const granted = pg<number>`greatest(0, least(floor(${tokens} + ${ROUNDING}::float8), ${most}::float8))::int`;
    // One statement: whoever comes at the same moment waits for the row and finds it taken. Where nothing is left nothing is written.
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

  /** The marketplace says that it was too much all the same: nothing more until `seconds` have passed. */
  async empty(key: string, { perSecond }: Rate, seconds: number, now: Date): Promise<void> {
    const bucket = { tokens: 1 - seconds * perSecond, granted: 0, at: now };
    await this.database.kysely
      .insertInto('token_buckets')
      .values({ key, ...bucket })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(bucket))
      .execute();
  }
}
