import { KontorError } from '#platform/errors.ts';

/** known: somebody signed in, with a link of his own, or with a browser that signed in before. */
export type HashAsker = 'known' | 'stranger';

/**
 * Has few passwords hashed at a time: each takes up to 32 MiB, a core, and one of the threads that files and questions need too. Those whom
 * we know come before strangers, so that many who try passwords keep nobody out who works here.
 */
export class HashTurns {
  private readonly atOnce: number;
  private readonly mostWaiting: number;
  private running = 0;
  private readonly waiting: Record<HashAsker, (() => void)[]> = { known: [], stranger: [] };

  /** `mostWaiting`: of the known and of strangers, each; further ones are refused. */
  constructor(atOnce: number, mostWaiting: number) {
    this.atOnce = atOnce;
    this.mostWaiting = mostWaiting;
  }

  /** Does `work` when it is its turn. @throws 503 where too many wait */
  async run<T>(asker: HashAsker, work: () => Promise<T>): Promise<T> {
    await this.turn(asker);
    try {
      return await work();
    } finally {
      const next = this.waiting.known.shift() ?? this.waiting.stranger.shift();
      // Whoever waits takes the place over, so that nobody slips in between.
      if (next === undefined) this.running--;
      else next();
    }
  }

  private async turn(asker: HashAsker): Promise<void> {
    if (this.running < this.atOnce) {
      this.running++;
      return;
    }
    const waiting = this.waiting[asker];
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
