import { setTimeout as wait } from 'node:timers/promises';

/** Accounts served at the same time. */
const AT_ONCE = 8;

/**
 * Serves marketplace accounts side by side: one whose marketplace is slow delays no other. A turn waits for slow accounts no
 * longer than `patienceMs`; an account that is still being served then is left out of the following turns until that has ended.
 */
export class SideBySide {
  private readonly patienceMs: number | undefined;
  private readonly serving = new Map<string, Promise<unknown>>();
  /** The turn in which each account was last begun. */
  private readonly begun = new Map<string, number>();
  private turns = 0;

  /** Without `patienceMs` a turn waits for every account. */
  constructor(patienceMs?: number) {
    this.patienceMs = patienceMs;
  }

  /** The keys of accounts that are being served. */
  get served(): string[] {
    return [...this.serving.keys()];
  }

  /** Runs `work`, which must not fail, for each account by its key; returns the sum of the results so far. */
  async turn<T>(due: ReadonlyMap<string, T>, work: (one: T) => Promise<number>): Promise<number> {
    this.turns += 1;
    // The longest waiting first: otherwise eight slow ones would be begun again and again, and the others never.
    const left = [...due]
      .filter(([key]) => !this.serving.has(key))
      .toSorted(([one], [other]) => (this.begun.get(one) ?? 0) - (this.begun.get(other) ?? 0));
    let sum = 0;
    const lane = async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        const [key, one] = next;
        this.begun.set(key, this.turns);
        const served = work(one).finally(() => this.serving.delete(key));
        this.serving.set(key, served);
        const count = await served;
        sum += count;
      }
    };
    const lanes = Promise.all(Array.from({ length: AT_ONCE - this.serving.size }, lane));
    if (this.patienceMs === undefined) await lanes;
    else {
      const over = new AbortController();
      const patience = wait(this.patienceMs, undefined, { signal: over.signal, ref: false }).catch(() => {});
      await Promise.race([lanes, patience]);
      over.abort();
    }
    // Those not begun are due in the next turn as well.
    left.length = 0;
    return sum;
  }

  /** Waits for the accounts that are still being served. */
  async close(): Promise<void> {
    await Promise.all(this.serving.values());
  }
}
