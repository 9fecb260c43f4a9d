import type { Clock } from '#platform/clock.ts';

/** Shortest and longest rest, in ms, of work that found nothing to do while nothing changes. */
const REST_MS = { least: 5000, most: 30_000 };
/** Length of a rest, as a share of the time since the last change. */
const SHARE = 0.25;
/** Interval at which all rests are checked for their end: one timer for all, since each of a dozen would wake an idle machine. */
const CHECK_MS = 500;

export type RestOptions = {
  /** In tests, time may pass faster; the rest is then shorter. */
  readonly clock: Clock;
  /** How long, in ms, a rest lasts after a change, and at least: changes come in groups, which are worked on together. */
  readonly settleMs: number;
  readonly signal: AbortSignal;
};

/**
 * Tracks whether anything changes in the database. While nothing does, only time can make work due, and pollers may rest; the
 * longer nothing has changed, the longer they rest. Work due some time after the last change starts late by at most a quarter of
 * that time.
 */
export class Activity {
  count = 0;
  private at = performance.now();
  private readonly resting = new Set<{ settle: () => void; check: () => void }>();
  private timer: ReturnType<typeof setInterval> | undefined;

  changed(): void {
    this.count++;
    this.at = performance.now();
    for (const one of this.resting) one.settle();
  }

  /** Returns how long to rest in ms, unless something changes. */
  restMs(): number {
    return Math.min(REST_MS.most, Math.max(REST_MS.least, (performance.now() - this.at) * SHARE));
  }

  /** Rests until something has changed since `count` was `before`, `restMs()` have passed, or the signal is aborted. */
  rest(before: number, { clock, settleMs, signal }: RestOptions): Promise<void> {
    const restMs = Math.max(settleMs, this.restMs());
    const [began, clockBegan] = [performance.now(), clock.now().getTime()];
    return new Promise((resolve) => {
      let settling: ReturnType<typeof setTimeout> | undefined;
      const end = () => {
        clearTimeout(settling);
        signal.removeEventListener('abort', end);
        this.resting.delete(one);
        if (this.resting.size === 0) {
          clearInterval(this.timer);
          this.timer = undefined;
        }
        resolve();
      };
      const one = {
        settle: () => void (settling ??= setTimeout(end, settleMs).unref()),
        check: () => {
          if (performance.now() - began >= restMs || clock.now().getTime() - clockBegan >= restMs) end();
        },
      };
      this.resting.add(one);
      this.timer ??= setInterval(() => this.resting.forEach(({ check }) => check()), CHECK_MS).unref();
      signal.addEventListener('abort', end, { once: true });
      if (signal.aborted) end();
      else if (this.count !== before) one.settle();
    });
  }
}
