import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import type { Log } from '#platform/telemetry/log.ts';

/** Does what is to be done and says how much it was; 0: nothing. */
export type Turn = () => Promise<number>;

export type WorkLoopsOptions = {
  readonly database: Database;
  /** Whoever lets time pass faster, in tests, rests as much shorter. */
  readonly clock: Clock;
  readonly log: Log;
  /** Said of a turn that failed. The loop goes on. */
  readonly failure: string;
  /** Between two looks while somebody works. */
  readonly busyMs?: number;
};

const BUSY_MS = 250;

/**
 * Work that goes on by itself, each kind for itself: as long as there is something to do, and looking again after a while. A look costs
 * a query, and a dozen kinds that look four times a second kept a tenth of a core busy with nothing.
 */
export class WorkLoops {
  private readonly options: WorkLoopsOptions;
  private readonly stop = new AbortController();
  private loops: Promise<unknown> = Promise.resolve();
  /** One timer for all that rest: a dozen of them, four times a second, would keep a resting machine awake. */
  private timer: ReturnType<typeof setInterval> | undefined;
  private readonly resting = new Set<{ isOver: () => boolean; wake: () => void }>();

  constructor(options: WorkLoopsOptions) {
    this.options = options;
  }

  /** Aborted when the loops are to end. */
  get signal(): AbortSignal {
    return this.stop.signal;
  }

  /** Begins, after what `first` waits for. */
  start(turns: readonly Turn[], first: Promise<void> = Promise.resolve()): void {
    this.loops = first.then(() => Promise.all(turns.map((turn) => this.repeat(turn))));
  }

  /** Ends when the turns that run are over. */
  async close(): Promise<void> {
    this.stop.abort();
    this.wakeDue();
    await this.loops;
  }

  private async repeat(turn: Turn): Promise<void> {
    const { database, log, failure } = this.options;
    while (!this.stop.signal.aborted) {
      const before = database.activity.count;
      let done = 0;
      try {
        done = await turn();
      } catch (error) {
        log.error({ err: error }, failure);
      }
      if (done === 0) await this.rest(before);
    }
  }

  /** Until somebody worked since `before`, or the time went on far enough for something to be due. */
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
