import { secondsFromNow } from '#platform/db/pg.ts';
import type { Database } from '#platform/db/database.ts';

/**
 * Finds leases that end far in the future: the database's clock was set back since they were taken. A living worker renews its own at
 * the next heartbeat; a dead one would keep its job for as long as the clock jumped. So a worker that sees such a lease unchanged for longer
 * than a lease lasts, by a monotonic clock, ends it. The fence stops whatever the old worker still sends.
 */
export class ClockSkewRecovery {
  private readonly database: Database;
  private readonly leaseSeconds: number;
  private readonly patienceMs: number;
  private seen = new Map<string, { lease: string; since: number }>();

  constructor(database: Database, leaseSeconds: number, patienceMs: number) {
    this.database = database;
    this.leaseSeconds = leaseSeconds;
    this.patienceMs = patienceMs;
  }

  /** Looks once; to be called again and again. */
  async look(): Promise<void> {
    const rows = await this.database.system((trx) =>
      trx
        .selectFrom('jobs')
        .select((eb) => ['id', eb.cast<string>('lease_until', 'text').as('lease')])
        .where('state', '=', 'running')
        .where('lease_until', '>', secondsFromNow(2 * this.leaseSeconds))
        .execute(),
    );
    const now = performance.now();
    const before = this.seen;
    this.seen = new Map();
    for (const { id, lease } of rows) {
      const known = before.get(id);
      const since = known?.lease === lease ? known.since : now;
      this.seen.set(id, { lease, since });
      if (now - since < this.patienceMs) continue;
      await this.database.system((trx) =>
        trx
          .updateTable('jobs')
          .set({ lease_until: secondsFromNow(-1) })
          .where('id', '=', id)
          .where('state', '=', 'running')
          .where((eb) => eb(eb.cast<string>('lease_until', 'text'), '=', lease))
          .execute(),
      );
    }
  }
}
