import { secondsFromNow } from '#platform/db/pg.ts';
import type { Database } from '#platform/db/database.ts';

/**
 * Leases of a time that is far ahead: the database's clock was put back since they were taken. A worker that lives renews its own at
 * the next beat; one that is dead would keep its job for as long as the leap. So whoever sees such a lease stand still for longer
 * than a lease lasts, by a clock that nobody puts back, ends it. What then still comes from the old worker meets the fence.
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
