import { hash } from 'node:crypto';
import type { Database } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';
import type { Log } from '#platform/telemetry/log.ts';

const EVERY_MS = 1000;
/** A count not rewritten for this long belonged to a process that has ended. */
const HELD_MS = 5000;
/** An unchanged count is rewritten after this time. */
const AGAIN_MS = 2000;
/** Most keys that a process shares: a client that uses more keys is limited by each process alone. */
const MOST_KEYS = 2000;
const ROUNDS_TO_SWEEP = 60;

/** Exchange of limiter counts with the other processes. Neither method waits for anything. */
export type SharedCounts = {
  /** Returns what the other processes have counted for a key, about a second old. */
  others(key: string): number;
  /** Shares this process's count with the others for `ms` milliseconds or until the next call. 0: nothing more to count. */
  tell(key: string, count: number, ms: number): void;
};

/** For a single process: there are no other counts. */
export const singleProcessCounts: SharedCounts = { others: () => 0, tell: () => undefined };

/** Keys are hashed, as they contain names and addresses of users that nobody needs to read in a table. */
const nameOf = (key: string): string => hash('sha256', key, 'base64url');

type SharedCount = { count: number; until: number; writtenAt: number; changed: boolean };

/**
 * Limiter counts shared by all processes on one PostgreSQL. Each process counts on its own; once a second it writes its counts
 * and reads the sums of the others. So limits apply over all processes, about a second late, and no request waits. Without an
 * answer of the database each process limits alone.
 */
export class DatabaseCounts implements SharedCounts {
  private readonly database: Database;
  private readonly log: Log;
  private readonly process: string;
  private readonly ownCounts = new Map<string, SharedCount>();
  private sums: ReadonlyMap<string, number> = new Map();
  private timer: ReturnType<typeof setInterval> | undefined;
  private round: Promise<void> | undefined;
  private rounds = 0;
  /** The database's change count when the sums were read. */
  private readAt = -1;

  constructor({ database, log, process }: { database: Database; log: Log; process: string }) {
    this.database = database;
    this.log = log;
    this.process = process;
  }

  others(key: string): number {
    return this.sums.size === 0 ? 0 : (this.sums.get(nameOf(key)) ?? 0);
  }

  tell(key: string, count: number, ms: number): void {
    // The embedded database has only one process.
    if (this.database.embedded) return;
    const name = nameOf(key);
    const known = this.ownCounts.get(name);
    if (known === undefined && (count <= 0 || this.ownCounts.size >= MOST_KEYS)) return;
    const changed = known === undefined || known.changed || known.count !== count;
    this.ownCounts.set(name, { count, until: performance.now() + ms, writtenAt: known?.writtenAt ?? 0, changed });
  }

  start(): void {
    if (this.database.embedded) return;
    this.timer = setInterval(() => {
      this.round ??= this.exchange()
        .catch((error: unknown) => {
          this.sums = new Map();
          this.log.warn({ err: error }, 'counts of rate limits could not be shared with other processes');
        })
        .finally(() => (this.round = undefined));
    }, EVERY_MS).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.round;
  }

  private async exchange(): Promise<void> {
    const { kysely, activity, detectsAllChanges } = this.database;
    const rows = this.takeDue(performance.now());
    // An idle process sends no query if nobody has written a count since its last one.
    const { count } = activity;
    if (detectsAllChanges && rows.length === 0 && this.sums.size === 0 && count === this.readAt) return;
    if (rows.length > 0)
      await kysely
        .insertInto('shared_counts')
        .columns(['key', 'process', 'count', 'until'])
        .expression(pg`select r.key, ${this.process}, r.count, now() + make_interval(secs => r.seconds)
          from json_to_recordset(${JSON.stringify(rows)}::json) as r(key text, count int, seconds float8)`)
        .onConflict((conflict) =>
          conflict.columns(['key', 'process']).doUpdateSet((eb) => ({
            count: eb.ref('excluded.count'),
            until: eb.ref('excluded.until'),
          })),
        )
        .execute();
    const sums = await kysely
      .selectFrom('shared_counts')
      .select(['key', (eb) => eb.fn.sum<number>('count').as('count')])
      .where('process', '!=', this.process)
      .where('until', '>', pg<Date>`now()`)
      .groupBy('key')
      .execute();
    this.readAt = count;
    this.sums = new Map(sums.map(({ key, count }) => [key, count]));
    if (++this.rounds % ROUNDS_TO_SWEEP > 0) return;
    await kysely
      .deleteFrom('shared_counts')
      .where('until', '<', pg<Date>`now()`)
      .execute();
  }

  /** Returns the counts that are new to the others or about to expire there; an ended one is written once as 0, then dropped. */
  private takeDue(now: number): { key: string; count: number; seconds: number }[] {
    const rows: { key: string; count: number; seconds: number }[] = [];
    for (const [key, entry] of this.ownCounts) {
      const { count, until, writtenAt, changed } = entry;
      const over = count <= 0 || until <= now;
      if (over) this.ownCounts.delete(key);
      if (!over && !changed && now - writtenAt < AGAIN_MS) continue;
      rows.push({ key, count: over ? 0 : count, seconds: Math.min(HELD_MS, Math.max(0, until - now)) / 1000 });
      entry.changed = false;
      entry.writtenAt = now;
    }
    return rows;
  }
}
