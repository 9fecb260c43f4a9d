import { liveDefaults } from './defaults.ts';

type PollerOptions = {
  everyMs: number;
  ask: () => void;
  /** It has failed too often and asks no more until `resume`. */
  onPause: () => void;
};

/** Lets a component ask by itself: not while the window is hidden, and no more after failures one after the other. */
export class Poller {
  private readonly options: PollerOptions;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private askedAt = performance.now();
  private failures = 0;
  private readonly look = () => this.schedule();

  constructor(options: PollerOptions) {
    this.options = options;
    document.addEventListener('visibilitychange', this.look);
    this.schedule();
  }

  /** An answer has come, or none: the time runs anew. */
  ended(ok: boolean): void {
    this.failures = ok ? 0 : this.failures + 1;
    this.askedAt = performance.now();
    if (this.failures === liveDefaults.pollFailures) this.options.onPause();
    this.schedule();
  }

  /** Asks again from now on. */
  resume(): void {
    this.failures = 0;
    this.schedule();
  }

  stop(): void {
    clearTimeout(this.timer);
    document.removeEventListener('visibilitychange', this.look);
  }

  private schedule(): void {
    clearTimeout(this.timer);
    if (document.visibilityState === 'hidden' || this.failures >= liveDefaults.pollFailures) return;
    const { everyMs, ask } = this.options;
    this.timer = setTimeout(ask, Math.max(0, this.askedAt + everyMs - performance.now()));
  }
}

/** `data-poll="delay(5000)|action"`, each part optional. */
export function readPoll(text: string): { everyMs: number; action: string | undefined } {
  const [, delay, action] = /^(?:delay\((\d{1,8})\)\|?)?(\w+)?/.exec(text) ?? [];
  return { everyMs: delay === undefined ? liveDefaults.pollInterval : Number(delay), action };
}
