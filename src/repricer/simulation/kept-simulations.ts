import type { Clock } from '#platform/clock.ts';
import type { Simulation } from '#shared/repricer/history.ts';
import type { Simulated } from './tally.ts';

/** A finished simulation. `requestKey`: the company and all inputs of its rows except offers, which change all the time. */
type StoredSimulation = {
  readonly id: string;
  readonly at: Date;
  readonly requestKey: string;
  readonly counts: Omit<Simulation, 'id' | 'at' | 'matching' | 'rows'>;
  readonly rows: Simulated[];
};

/** About 300 bytes a row: 75 MB at most, in all companies together. */
const ROWS = 250_000;
const SIMULATIONS = 8;
/** How long a simulation stays cached after its last use. */
const KEEP_MS = 15 * 60_000;

type Entry = { readonly simulation: StoredSimulation; usedAt: number };

/**
 * Finished simulations of this process, so that paging needs no computation and shows rows of the same one. A few, for a short
 * time; one that is missing is computed again.
 */
export class SimulationCache {
  readonly #clock: Clock;
  /** The least recently used first. */
  readonly #entries = new Map<string, Entry>();
  #timer: NodeJS.Timeout | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  keep(simulation: StoredSimulation): void {
    this.#forgetOld();
    if (simulation.rows.length > ROWS) return;
    this.#entries.set(simulation.id, { simulation, usedAt: this.#clock.now().getTime() });
    for (const id of this.#entries.keys()) {
      if (this.#entries.size <= SIMULATIONS && this.#rows() <= ROWS) break;
      this.#entries.delete(id);
    }
    // Frees the memory even when no further request comes.
    this.#timer ??= setInterval(() => this.#forgetOld(), KEEP_MS).unref();
  }

  /** Returns a simulation; undefined if it has expired, or its inputs have changed since: then it is dropped. */
  find(id: string, requestKey: string): StoredSimulation | undefined {
    this.#forgetOld();
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    this.#entries.delete(id);
    if (entry.simulation.requestKey !== requestKey) return undefined;
    this.#entries.set(id, { ...entry, usedAt: this.#clock.now().getTime() });
    return entry.simulation;
  }

  #rows(): number {
    return [...this.#entries.values()].reduce((sum, { simulation }) => sum + simulation.rows.length, 0);
  }

  #forgetOld(): void {
    const oldest = this.#clock.now().getTime() - KEEP_MS;
    for (const [id, { usedAt }] of this.#entries) if (usedAt <= oldest) this.#entries.delete(id);
    if (this.#entries.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
