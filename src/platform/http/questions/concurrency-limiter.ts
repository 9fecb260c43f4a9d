import { KontorError } from '#platform/errors.ts';
import type { Principal } from '#platform/http/server.ts';

export type ConcurrencyLimits = {
  /** How many may run at a time: in this process, for one company, for one user or token. */
  readonly atOnce: number;
  readonly perCompany: number;
  readonly perUser: number;
  /** How many may wait of one company, and of one user or token; further ones are refused. */
  readonly waiting: number;
  readonly waitingPerUser: number;
};
type Who = Pick<Principal, 'company' | 'email'>;
type Waiting = { caller: Who; start: () => void };

/** Limits how much expensive work runs at a time and queues further work; a company's many requests do not delay others long. */
export class ConcurrencyLimiter {
  private readonly limits: ConcurrencyLimits;
  private readonly running: Who[] = [];
  private waiting: Waiting[] = [];

  constructor(limits: ConcurrencyLimits) {
    this.limits = limits;
  }

  /** Number of turns that are running and waiting. */
  get load(): { running: number; waiting: number } {
    return { running: this.running.length, waiting: this.waiting.length };
  }

  /**
   * Waits for the caller's turn and returns a function that ends it, to be called exactly once. An abort while waiting leaves
   * the queue.
   * @throws 429 where too many wait
   */
  async take({ company, email }: Who, signal: AbortSignal): Promise<() => void> {
    // A new object for each turn: one request may hold two.
    const caller = { company, email };
    await this.waitForSlot(caller, signal);
    const end = () => {
      this.running.splice(this.running.indexOf(caller), 1);
      this.next();
    };
    if (!signal.aborted) return end;
    end();
    throw reasonOf(signal);
  }

  /** Runs `work` in the caller's turn. @throws 429 where too many wait */
  async run<T>(caller: Who, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const end = await this.take(caller, signal);
    try {
      return await work();
    } finally {
      end();
    }
  }

  private async waitForSlot(caller: Who, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.isFree(caller)) {
      this.running.push(caller);
      return;
    }
    const ofCompany = this.waiting.filter((one) => one.caller.company === caller.company);
    if (ofCompany.length >= this.limits.waiting) throw tooMany('Ihrer Firma');
    if (ofCompany.filter((one) => one.caller.email === caller.email).length >= this.limits.waitingPerUser)
      throw tooMany('von Ihnen');
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.waiting = this.waiting.filter((one) => one !== entry);
        reject(reasonOf(signal));
      };
      const entry: Waiting = {
        caller,
        start: () => {
          signal.removeEventListener('abort', leave);
          this.running.push(caller);
          resolve();
        },
      };
      this.waiting.push(entry);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  private next(): void {
    for (const entry of this.waiting) {
      if (!this.isFree(entry.caller)) continue;
      this.waiting = this.waiting.filter((one) => one !== entry);
      entry.start();
    }
  }

  private isFree({ company, email }: Who): boolean {
    const { atOnce, perCompany, perUser } = this.limits;
    const ofCompany = this.running.filter((one) => one.company === company);
    return (
      this.running.length < atOnce &&
      ofCompany.length < perCompany &&
      ofCompany.filter((one) => one.email === email).length < perUser
    );
  }
}

const reasonOf = ({ reason }: AbortSignal): Error => (reason instanceof Error ? reason : new Error('gone'));

const tooMany = (scope: string) =>
  new KontorError(
    429,
    'too_many_questions',
    `Es laufen schon zu viele Berechnungen ${scope}. Bitte in einigen Sekunden erneut versuchen.`,
    { retryAfter: 5 },
  );
