import type { CatalogueRef } from '#catalogue/catalogue-ref.ts';

/** What prices add to the figures that breakers look at; of a catalogue or of some decisions. `loss` in cents times stock. */
export type Figures = { readonly changed: number; readonly atMinimum: number; readonly loss: number };

const LOOK_AGAIN_MS = 5000;
/** On a database server so many processes at least are reckoned with, and twice as many as there were a minute ago. */
const LEAST_WORKERS = 8;
/** Where there is one process, what others write (a person's prices) needs the other half. */
const ALONE = 2;

/**
 * Spares the look at all prices of the last hour with every few decisions: behind a look it is known how much is missing until a
 * breaker trips, and as long as what is decided here adds no more than this process's part of it, none can. The other parts are for other
 * processes, and after some seconds all is looked at anyway. What leaves the hour meanwhile only makes the figures smaller.
 */
export class BreakerBudgets {
  private readonly budgets = new Map<string, { until: number; left: Figures }>();
  private readonly workers: (() => number) | undefined;

  /** `workers`: how many processes decide prices on this database; undefined where no other one can. */
  constructor(workers?: () => number) {
    this.workers = workers;
  }

  /** Keeps what a look found: how much each figure may still grow. */
  keep({ company, masterid }: CatalogueRef, missing: Figures, now: Date): void {
    const parts = this.workers === undefined ? ALONE : Math.max(LEAST_WORKERS, 2 * this.workers());
    const part = (figure: number) => Math.floor(figure / parts);
    const left = { changed: part(missing.changed), atMinimum: part(missing.atMinimum), loss: part(missing.loss) };
    this.budgets.set(`${company}/${masterid}`, { until: now.getTime() + LOOK_AGAIN_MS, left });
  }

  /** Whether these may be added without a look; then they count as added. */
  spend({ company, masterid }: CatalogueRef, added: Figures, now: Date): boolean {
    const key = `${company}/${masterid}`;
    const budget = this.budgets.get(key);
    if (budget === undefined || now.getTime() >= budget.until) return false;
    const { left } = budget;
    const rest = {
      changed: left.changed - added.changed,
      atMinimum: left.atMinimum - added.atMinimum,
      loss: left.loss - added.loss,
    };
    if (rest.changed < 0 || rest.atMinimum < 0 || rest.loss < 0) return false;
    this.budgets.set(key, { ...budget, left: rest });
    return true;
  }
}
