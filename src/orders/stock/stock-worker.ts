import { WorkLoops } from '#platform/work-loops.ts';
import { compareStock } from './compare-stock.ts';
import { feedStock } from './feed-stock.ts';
import { recomputeStock, type StockDeps } from './recompute.ts';
import { sendStock, type SendDeps } from './send-stock.ts';

const BUSY_MS = 500;

/** Keeps stock numbers up to date with the catalogue, the settings and the orders, and sends changes to marketplaces. */
export class StockWorker {
  private readonly deps: StockDeps & SendDeps;
  private readonly loops: WorkLoops;

  constructor(deps: StockDeps & SendDeps) {
    this.deps = deps;
    const { database, clock, log } = deps;
    this.loops = new WorkLoops({ database, clock, log, failure: 'stock work failed', busyMs: BUSY_MS });
  }

  start(): void {
    this.loops.start([
      () => recomputeStock(this.deps),
      () => sendStock(this.deps),
      () => feedStock(this.deps),
      () => compareStock(this.deps),
    ]);
  }

  close(): Promise<void> {
    return this.loops.close();
  }
}
