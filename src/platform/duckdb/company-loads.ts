import { availableParallelism } from 'node:os';

/** Time after which computed work counts half. */
const HALF_LIFE_MS = 5000;
/** Load of a company that keeps one processor busy all the time: the sum of all its computing, each part halved by age. */
const ONE_PROCESSOR_MS = HALF_LIFE_MS / Math.LN2;
/** A company that uses a larger share of the machine than this, and at least the average of all, gets a lower priority. */
const HEAVY_SHARE = 1 / 4;

/** Processor time that each company's questions used recently. */
export class CompanyLoads {
  private readonly loads = new Map<string, { ms: number; at: number }>();
  private readonly now: () => number;
  private readonly heavyMs: number;

  /** `now`: milliseconds of a monotonic clock. */
  constructor(now: () => number, processors = availableParallelism()) {
    this.now = now;
    this.heavyMs = ONE_PROCESSOR_MS * processors * HEAVY_SHARE;
  }

  /** Adds `ms` of processor time to a company's load. */
  add(company: string, ms: number): void {
    this.loads.set(company, { ms: this.weight(company) + ms, at: this.now() });
    for (const [other, { at }] of this.loads) if (this.now() - at > 20 * HALF_LIFE_MS) this.loads.delete(other);
  }

  /** Whether a company computed so much recently that it gets a lower priority. */
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
