import type { Clock } from './clock.ts';
import type { Database } from '#platform/db/database.ts';
import type { Log } from '#platform/telemetry/log.ts';

/** Does the pending work and returns how much it was; 0: nothing. */
export type WorkStep = () => Promise<number>;

export type WorkLoopsOptions = {
  readonly database: Database;
  /** In tests, time may pass faster; the loops then rest for less. */
  readonly clock: Clock;
  readonly log: Log;
  /** Log message for a failed turn. The loop continues. */
  readonly failure: string;
  /** Shortest rest in ms; a loop whose work is not urgent need not check after every change. */
  readonly settleMs?: number;
};

const SETTLE_MS = 200;
/** Shortest rest of work that is due once a day, or days after it was requested. */
export const NOT_URGENT_MS = 5000;

/**
 * Runs several loops of background work: each works while there is something to do, then rests. Checking costs a query, and a
 * dozen loops that checked four times a second kept a tenth of a core busy with nothing.
 */
export class WorkLoops {
  private readonly options: WorkLoopsOptions;
  private readonly stop = new AbortController();
  private loops: Promise<unknown> = Promise.resolve();

  constructor(options: WorkLoopsOptions) {
    this.options = options;
  }

  /** Aborted when the loops are to end. */
  get signal(): AbortSignal {
    return this.stop.signal;
  }

  /** Starts the loops, after `first` has resolved. */
  start(steps: readonly WorkStep[], first: Promise<void> = Promise.resolve()): void {
    this.loops = first.then(() => Promise.all(steps.map((step) => this.repeat(step))));
  }

  /** Stops the loops and waits until their current turns are over. */
  async close(): Promise<void> {
    this.stop.abort();
    await this.loops;
  }

  private async repeat(step: WorkStep): Promise<void> {
    const { database, clock, log, failure, settleMs = SETTLE_MS } = this.options;
    const { activity } = database;
    const { signal } = this.stop;
    while (!signal.aborted) {
      const before = activity.count;
      let done = 0;
      try {
        done = await step();
      } catch (error) {
        log.error({ err: error }, failure);
      }
      if (done === 0) await activity.rest(before, { clock, settleMs, signal });
    }
  }
}
