import type { Clock } from '#platform/clock.ts';
import type { Simulation } from '#shared/repricer/history.ts';
import type { Simulated } from './tally.ts';

/** A finished simulation. `asked`: whose it is and all that its rows come from, but for offers, which change all the time. */
type StoredSimulation = {
  readonly id: string;
  readonly at: Date;
  readonly asked: string;
  readonly counts: Omit<Simulation, 'id' | 'at' | 'matching' | 'rows'>;
  readonly rows: Simulated[];
};

/** About 300 bytes a row: 75 MB at most, in all companies together. */
const ROWS = 250_000;
const SIMULATIONS = 8;
/** So long after its last use. */
const KEEP_MS = 15 * 60_000;

type Entry = { readonly kept: StoredSimulation; usedAt: number };

/**
 * Finished simulations of this process, so that turning pages computes nothing anew and shows the rows of one and the same
 * computation. A few, not for long; whatever is not here is computed again.
 */
export class KeptSimulations {
  readonly #clock: Clock;
  /** The longest unused first. */
  readonly #entries = new Map<string, Entry>();
  #timer: NodeJS.Timeout | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  keep(kept: StoredSimulation): void {
    this.#forgetOld();
    if (kept.rows.length > ROWS) return;
    this.#entries.set(kept.id, { kept, usedAt: this.#clock.now().getTime() });
    for (const id of this.#entries.keys()) {
      if (this.#entries.size <= SIMULATIONS && this.#rows() <= ROWS) break;
      this.#entries.delete(id);
    }
    // Their memory is given back also where nobody asks any more.
    this.#timer ??= setInterval(() => this.#forgetOld(), KEEP_MS).unref();
  }

  /** Undefined: it is gone, or was asked otherwise; then its rows are of no use to anybody any more. */
  find(id: string, asked: string): StoredSimulation | undefined {
    this.#forgetOld();
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    this.#entries.delete(id);
    if (entry.kept.asked !== asked) return undefined;
    this.#entries.set(id, { ...entry, usedAt: this.#clock.now().getTime() });
    return entry.kept;
  }

  #rows(): number {
    return [...this.#entries.values()].reduce((sum, { kept }) => sum + kept.rows.length, 0);
  }

  #forgetOld(): void {
    const oldest = this.#clock.now().getTime() - KEEP_MS;
    for (const [id, { usedAt }] of this.#entries) if (usedAt <= oldest) this.#entries.delete(id);
    if (this.#entries.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
