import { SideBySide } from '#marketplaces/accounts/side-by-side.ts';
import { NOT_URGENT_MS, WorkLoops } from '#platform/work-loops.ts';
import { compareStock } from './compare-stock.ts';
import { feedStock } from './feed-stock.ts';
import { recomputeStock, type StockDeps } from './recompute.ts';
import { sendStock, type SendDeps } from './send-stock.ts';

const SETTLE_MS = 500;
/** How long the stock of fast accounts waits for that of a slow one. */
const PATIENCE_MS = 1000;

/** Keeps stock numbers up to date with the catalogue, the settings and the orders, and sends changes to marketplaces. */
export class StockWorker {
  private readonly deps: StockDeps & SendDeps;
  private readonly sends = new SideBySide(PATIENCE_MS);
  private readonly feeds = new SideBySide(PATIENCE_MS);
  private readonly comparisons = new SideBySide(PATIENCE_MS);
  private readonly loops: WorkLoops;
  private readonly comparing: WorkLoops;

  constructor(deps: StockDeps & SendDeps) {
    this.deps = deps;
    const { database, clock, log } = deps;
    const options = { database, clock, log, failure: 'stock work failed' };
    this.loops = new WorkLoops({ ...options, settleMs: SETTLE_MS });
    this.comparing = new WorkLoops({ ...options, settleMs: NOT_URGENT_MS });
  }

  start(): void {
    this.loops.start([
      () => recomputeStock(this.deps),
      () => sendStock(this.deps, this.sends),
      () => feedStock(this.deps, this.feeds),
    ]);
    this.comparing.start([() => compareStock(this.deps, this.comparisons)]);
  }

  async close(): Promise<void> {
    await Promise.all([this.loops.close(), this.comparing.close()]);
    await Promise.all([this.sends.close(), this.feeds.close(), this.comparisons.close()]);
  }
}
