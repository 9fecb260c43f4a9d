import { pg, secondsFromNow } from '#platform/db/pg.ts';
import type { Database } from '#platform/db/database.ts';

/**
 * Finds leases that end far in the future because the database's clock was set back. A living worker renews its own at the next
 * heartbeat; a dead one would keep its job for as long as the clock jumped. So a worker that sees such a lease unchanged for
 * longer than a lease lasts, by a monotonic clock, ends it; the fence then blocks all writes of the old worker. A job that was
 * taken in the future and waits for its next attempt gets its full wait, starting now.
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

  /** Checks once; call it repeatedly. */
  async look(): Promise<void> {
    const rows = await this.database.system((trx) =>
      trx
        .selectFrom('jobs')
        .select((eb) => ['id', 'state', eb.cast<string>('lease_until', 'text').as('lease')])
        .where((eb) =>
          eb.or([
            eb('state', '=', 'running').and('lease_until', '>', this.farAhead()),
            eb('state', '=', 'queued').and('not_before', '>', this.farAhead()).and('taken_at', '>', this.farAhead()),
          ]),
        )
        .execute(),
    );
    const [waiting, leased] = [rows.filter(isQueued), rows.filter((row) => !isQueued(row))];
    for (const { id } of waiting) await this.waitFromNow(id);
    const now = performance.now();
    const before = this.seen;
    this.seen = new Map();
    for (const { id, lease } of leased) {
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

  private farAhead() {
    return secondsFromNow(2 * this.leaseSeconds);
  }

  /** By the clock that was ahead, its attempt began when it was taken. */
  private async waitFromNow(id: string): Promise<void> {
    await this.database.system((trx) =>
      trx
        .updateTable('jobs')
        .set({ not_before: pg<Date>`now() + (not_before - taken_at)`, taken_at: secondsFromNow(0) })
        .where((eb) => eb.and({ id, state: 'queued' }))
        .where('taken_at', '>', this.farAhead())
        .execute(),
    );
  }
}

const isQueued = ({ state }: { state: string }): boolean => state === 'queued';
