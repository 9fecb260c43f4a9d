import { liveDefaults } from './defaults.ts';

type PollerOptions = {
  everyMs: number;
  ask: () => void;
  /** Called after too many failures: polling stops until `resume`. */
  onPause: () => void;
};

/** Polls for a component: not while the window is hidden, and no more after consecutive failures. */
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

  /** Called after an answer or a failure: the interval starts again. */
  ended(ok: boolean): void {
    this.failures = ok ? 0 : this.failures + 1;
    this.askedAt = performance.now();
    if (this.failures === liveDefaults.pollFailures) this.options.onPause();
    this.schedule();
  }

  /** Starts polling again. */
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
