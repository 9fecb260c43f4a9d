import type { Clock } from '#platform/clock.ts';

/** Behind which row a page of a list begins, and how many rows the list had when it was first asked for. */
export type PageStart = { after: { master: string; marketplace: string; item: string }; total: number };

const MOST = 1000;
const KEEP_MS = 10 * 60_000;

/**
 * Where the next pages of lists begin. Pages are asked for by number of rows, and counting those before row 900,000 costs more the
 * later the page; who reads on is led on from the row where the last page ended. It is only quicker: a page that is not known here
 * (another process, a jump) is found by counting.
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
