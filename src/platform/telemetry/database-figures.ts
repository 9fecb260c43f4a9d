import type { Clock } from '#platform/clock.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { Lease } from '#platform/db/lease.ts';
import type { Log } from './log.ts';
import type { Gauge, Metrics, Series } from './metrics.ts';

/** Figures that a subject counts in its tables, over all companies, in one read: gauges by name. */
export type Figures<N extends string = string> = {
  readonly gauges: Readonly<Record<N, { readonly help: string; readonly labels: readonly string[] }>>;
  readonly read: (trx: Trx, now: Date) => Promise<Readonly<Record<N, readonly Series<string>[]>>>;
};

export const defineFigures = <N extends string>(figures: Figures<N>): Figures<N> => figures;

/** Interval in ms at which the tables are read. */
const EVERY_MS = 15_000;
/** How long only the process that reads the tables may do so, in seconds: two missed reads are tolerated. */
export const FIGURES_LEASE_SECONDS = 40;

type Known = { readonly figures: Figures; readonly gauges: ReadonlyMap<string, Gauge<string>> };

/**
 * Reads the figures from time to time, in only one of all processes, however many are monitored and however often. The others
 * expose none of these gauges, so a sum over all processes counts everything once.
 */
export class DatabaseFigures {
  private readonly deps: { database: Database; clock: Clock; log: Log; lease: Lease };
  private readonly known: readonly Known[];
  private timer: ReturnType<typeof setInterval> | undefined;
  private reading: Promise<void> | undefined;

  constructor(
    deps: { database: Database; clock: Clock; log: Log; lease: Lease; metrics: Metrics },
    all: readonly Figures[],
  ) {
    this.deps = deps;
    this.known = all.map((figures) => ({
      figures,
      gauges: new Map(
        Object.entries(figures.gauges).map(([name, { help, labels }]) => [
          name,
          deps.metrics.gauge(name, help, labels),
        ]),
      ),
    }));
  }

  start(everyMs = EVERY_MS): void {
    void this.look();
    this.timer = setInterval(() => void this.look(), everyMs).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.reading;
    await this.deps.lease.release().catch(() => {});
  }

  /** Reads the figures once, if this process holds the lease. */
  look(): Promise<void> {
    this.reading ??= this.ask().finally(() => {
      this.reading = undefined;
    });
    return this.reading;
  }

  private async ask(): Promise<void> {
    const { database, clock, log, lease } = this.deps;
    const mine = await lease.take().catch(() => false);
    for (const { figures, gauges } of this.known) {
      // Figures that cannot be read are not exposed: old ones would look as if all were well.
      const series = mine
        ? await database
            .system((trx) => figures.read(trx, clock.now()))
            .catch((error: unknown) => {
              log.warn({ err: error }, 'metrics of the tables could not be read');
              return undefined;
            })
        : undefined;
      for (const [name, gauge] of gauges) gauge.replace(series?.[name] ?? []);
    }
  }
}
