import { setTimeout as wait } from 'node:timers/promises';
import { compareStock } from './compare-stock.ts';
import { recomputeStock, type StockDeps } from './recompute.ts';
import { sendStock, type SendDeps } from './send-stock.ts';

const IDLE_MS = 500;

/** Keeps the numbers of stock those of the catalogue, the settings and the orders, and tells marketplaces what changed. */
export class StockWorker {
  private readonly deps: StockDeps & SendDeps;
  private readonly stop = new AbortController();
  private loops: Promise<unknown> = Promise.resolve();

  constructor(deps: StockDeps & SendDeps) {
    this.deps = deps;
  }

  start(): void {
    this.loops = Promise.all([
      this.repeat(() => recomputeStock(this.deps)),
      this.repeat(() => sendStock(this.deps)),
      this.repeat(() => compareStock(this.deps)),
    ]);
  }

  async close(): Promise<void> {
    this.stop.abort();
    await this.loops;
  }

  private async repeat(turn: () => Promise<number>): Promise<void> {
    while (!this.stop.signal.aborted) {
      const done = await turn().catch((error: unknown) => {
        this.deps.log.error({ err: error }, 'stock work failed');
        return 0;
      });
      if (done === 0) await wait(IDLE_MS, undefined, { signal: this.stop.signal, ref: false }).catch(() => {});
    }
  }
}
