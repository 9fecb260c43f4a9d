import { availableParallelism } from 'node:os';

/** After this long a computation weighs half as much. */
const HALF_LIFE_MS = 5000;
/** What a company weighs that keeps one processor busy all the time: the sum of all it computed, each halved by its age. */
const ONE_PROCESSOR_MS = HALF_LIFE_MS / Math.LN2;
/** Whoever takes a larger share of the machine, and no less than the others do on average, gives way. */
const HEAVY_SHARE = 1 / 4;

/** How much processor time each company's questions took lately. */
export class CompanyLoads {
  private readonly loads = new Map<string, { ms: number; at: number }>();
  private readonly now: () => number;
  private readonly heavyMs: number;

  /** `now`: milliseconds of a clock that only goes forward. */
  constructor(now: () => number, processors = availableParallelism()) {
    this.now = now;
    this.heavyMs = ONE_PROCESSOR_MS * processors * HEAVY_SHARE;
  }

  /** The company computed `ms` more of processor time. */
  add(company: string, ms: number): void {
    this.loads.set(company, { ms: this.weight(company) + ms, at: this.now() });
    for (const [other, { at }] of this.loads) if (this.now() - at > 20 * HALF_LIFE_MS) this.loads.delete(other);
  }

  /** Whether it computed so much lately that it gives way to others. */
  isHeavy(company: string): boolean {
    const own = this.weight(company);
    const all = [...this.loads.keys()].map((one) => this.weight(one));
    return own > this.heavyMs && own >= all.reduce((sum, one) => sum + one, 0) / all.length;
  }

  private weight(company: string): number {
    const load = this.loads.get(company);
    return load === undefined ? 0 : load.ms * 2 ** ((load.at - this.now()) / HALF_LIFE_MS);
  }
}
