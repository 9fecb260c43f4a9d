import type { Clock } from '#platform/clock.ts';

/** The row before a page of a list, and the number of rows when the list was first requested. */
export type PageStart = { after: { master: string; marketplace: string; item: string }; total: number };

const MOST = 1000;
const KEEP_MS = 10 * 60_000;

/**
 * Caches where the next pages of lists begin. Pages are requested by row number, and counting to row 900,000 gets slower with
 * each page; the next page continues from the last row instead. Only faster: a page not in the cache (another process, a jump) is
 * found by counting.
 */
export class PageStarts {
  private readonly clock: Clock;
  private readonly starts = new Map<string, PageStart & { until: number }>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  of(list: string, offset: number): PageStart | undefined {
    const found = this.starts.get(`${offset}\n${list}`);
    return found !== undefined && found.until > this.clock.now().getTime() ? found : undefined;
  }

  keep(list: string, offset: number, start: PageStart): void {
    const key = `${offset}\n${list}`;
    this.starts.delete(key);
    const { master, marketplace, item } = start.after;
    this.starts.set(key, {
      after: { master, marketplace, item },
      total: start.total,
      until: this.clock.now().getTime() + KEEP_MS,
    });
    const [oldest] = this.starts.keys();
    if (this.starts.size > MOST && oldest !== undefined) this.starts.delete(oldest);
  }
}
