import { type Clock, hasArrived } from '#platform/clock.ts';
import { withoutClientSignal } from '#platform/db/client-signal.ts';
import { accountsOf, type DashboardPlace } from './place.ts';

const KEEP_MS = 60_000;
const MOST = 100;

/**
 * Caches figures for a minute. Counting them scans every offer of a catalogue (about a second for 100,000 articles); the
 * dashboard requests them several times at once, and again with every other range of days.
 */
export class MinuteCache<Figures> {
  private readonly clock: Clock;
  private readonly count: (ref: DashboardPlace) => Promise<Figures>;
  private readonly known = new Map<string, { until: number; figures: Promise<Figures> }>();

  constructor(clock: Clock, count: (ref: DashboardPlace) => Promise<Figures>) {
    this.clock = clock;
    this.count = count;
  }

  of(ref: DashboardPlace): Promise<Figures> {
    const key = JSON.stringify([ref.company, ref.masterid ?? '', accountsOf(ref)]);
    const now = this.clock.now().getTime();
    const found = this.known.get(key);
    if (found !== undefined && !hasArrived(found.until, now, KEEP_MS)) return found.figures;
    const figures = withoutClientSignal(() => this.count(ref));
    this.known.delete(key);
    this.known.set(key, { until: now + KEEP_MS, figures });
    figures.catch(() => this.known.delete(key));
    const [oldest] = this.known.keys();
    if (this.known.size > MOST && oldest !== undefined) this.known.delete(oldest);
    return figures;
  }
}
