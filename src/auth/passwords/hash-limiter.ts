import { KontorError } from '#platform/errors.ts';

/** known: a signed-in user, one with a valid link, or a browser that signed in to the account before. */
export type HashCaller = 'known' | 'stranger';

/**
 * Limits how many passwords are hashed at once: each takes up to 32 MiB, a core, and a thread that file access and queries need
 * too. Known users come before strangers, so that an attacker who tries many passwords locks no user out.
 */
export class HashLimiter {
  private readonly atOnce: number;
  private readonly mostWaiting: number;
  private running = 0;
  private readonly waiting: Record<HashCaller, (() => void)[]> = { known: [], stranger: [] };

  /** `mostWaiting`: limit for known users and for strangers, each; further ones are refused. */
  constructor(atOnce: number, mostWaiting: number) {
    this.atOnce = atOnce;
    this.mostWaiting = mostWaiting;
  }

  /** Runs `work` when it is its turn. @throws 503 if too many are waiting */
  async run<T>(caller: HashCaller, work: () => Promise<T>): Promise<T> {
    await this.waitForSlot(caller);
    try {
      return await work();
    } finally {
      const next = this.waiting.known.shift() ?? this.waiting.stranger.shift();
      // The slot passes directly to a waiting caller, so that no new one takes it in between.
      if (next === undefined) this.running--;
      else next();
    }
  }

  private async waitForSlot(caller: HashCaller): Promise<void> {
    if (this.running < this.atOnce) {
      this.running++;
      return;
    }
    const waiting = this.waiting[caller];
    if (waiting.length >= this.mostWaiting) throw tooMany();
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
}

const tooMany = () =>
  new KontorError(
    503,
    'passwords_busy',
    'Gerade werden sehr viele Passwörter geprüft. Ihres wurde noch nicht geprüft: Bitte in einigen Sekunden erneut versuchen.',
    { retryAfter: 5 },
  );
