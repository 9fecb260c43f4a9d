import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import type { SellerRow } from '#shared/repricer/dashboard.ts';
import { sellersOf } from './numbers.ts';
import { accountsOf, type DashboardPlace } from './place.ts';

const KEEP_MS = 60_000;
const MOST = 100;

/**
 * Competitors as of the last minute. To count them every offer of a catalogue is looked through (about a second for 100,000 articles);
 * the dashboard asks for names and figures at once, and for the figures again with every other range of days.
 */
export class SellerTables {
  private readonly deps: { database: Database; clock: Clock };
  private readonly tables = new Map<string, { until: number; rows: Promise<SellerRow[]> }>();

  constructor(deps: { database: Database; clock: Clock }) {
    this.deps = deps;
  }

  of(ref: DashboardPlace): Promise<SellerRow[]> {
    const key = JSON.stringify([ref.company, ref.masterid ?? '', accountsOf(ref)]);
    const now = this.deps.clock.now().getTime();
    const known = this.tables.get(key);
    if (known !== undefined && known.until > now) return known.rows;
    const rows = this.deps.database.company(ref.company, (trx) => sellersOf(trx, ref));
    this.tables.delete(key);
    this.tables.set(key, { until: now + KEEP_MS, rows });
    rows.catch(() => this.tables.delete(key));
    const [oldest] = this.tables.keys();
    if (this.tables.size > MOST && oldest !== undefined) this.tables.delete(oldest);
    return rows;
  }
}
