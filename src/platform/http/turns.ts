import { KontorError } from '#platform/errors.ts';
import type { Principal } from './server.ts';

export type TurnLimits = {
  /** How many run at a time: in this process, of one company, of one person or token. */
  readonly atOnce: number;
  readonly perCompany: number;
  readonly perUser: number;
  /** How many of one company may wait; further ones are refused. */
  readonly waiting: number;
};
type Who = Pick<Principal, 'company' | 'email'>;
type Waiting = { caller: Who; start: () => void };

/** Limits expensive work that runs at a time and queues the rest; a company with many requests does not make others wait long. */
export class Turns {
  private readonly limits: TurnLimits;
  private readonly running: Who[] = [];
  private waiting: Waiting[] = [];

  constructor(limits: TurnLimits) {
    this.limits = limits;
  }

  /** Does `work` when it is its turn. An abort while waiting leaves the queue. @throws 429 where too many wait */
  async run<T>(caller: Who, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.turn(caller, signal);
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      this.running.splice(this.running.indexOf(caller), 1);
      this.next();
    }
  }

  private async turn(caller: Who, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.isFree(caller)) {
      this.running.push(caller);
      return;
    }
    if (this.waiting.filter((one) => one.caller.company === caller.company).length >= this.limits.waiting)
      throw tooMany();
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.waiting = this.waiting.filter((one) => one !== entry);
        reject(signal.reason instanceof Error ? signal.reason : new Error('gone'));
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

const tooMany = () =>
  new KontorError(
    429,
    'too_many_questions',
    'Es laufen schon zu viele Berechnungen Ihrer Firma. Bitte in einigen Sekunden erneut versuchen.',
    { retryAfter: 5 },
  );
