import type { Clock } from '#platform/clock.ts';
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
  /** Interval in ms at which resting loops check for changes. */
  readonly busyMs?: number;
};

const BUSY_MS = 250;

/**
 * Runs several loops of background work: each works while there is something to do, then rests. Checking costs a query, and a
 * dozen loops that checked four times a second kept a tenth of a core busy with nothing.
 */
export class WorkLoops {
  private readonly options: WorkLoopsOptions;
  private readonly stop = new AbortController();
  private loops: Promise<unknown> = Promise.resolve();
  /** One timer for all resting loops: a dozen timers, four times a second, would keep an idle machine awake. */
  private timer: ReturnType<typeof setInterval> | undefined;
  private readonly resting = new Set<{ isOver: () => boolean; wake: () => void }>();

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
    this.wakeDue();
    await this.loops;
  }

  private async repeat(step: WorkStep): Promise<void> {
    const { database, log, failure } = this.options;
    while (!this.stop.signal.aborted) {
      const before = database.activity.count;
      let done = 0;
      try {
        done = await step();
      } catch (error) {
        log.error({ err: error }, failure);
      }
      if (done === 0) await this.rest(before);
    }
  }

  /** Rests until something has changed since `before`, or until enough time has passed for work to be due. */
  private rest(before: number): Promise<void> {
    const { database, clock, busyMs = BUSY_MS } = this.options;
    const { activity } = database;
    const idleMs = activity.restMs();
    const [begin, clockBegin] = [performance.now(), clock.now().getTime()];
    const isOver = () =>
      this.stop.signal.aborted ||
      activity.count !== before ||
      performance.now() - begin >= idleMs ||
      clock.now().getTime() - clockBegin >= idleMs;
    return new Promise((wake) => {
      this.resting.add({ isOver, wake });
      this.timer ??= setInterval(() => this.wakeDue(), busyMs).unref();
    });
  }

  private wakeDue(): void {
    for (const one of this.resting) {
      if (!one.isOver()) continue;
      this.resting.delete(one);
      one.wake();
    }
    if (this.resting.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
