import type { CatalogueRef } from '#catalogue/catalogue-ref.ts';

/** What prices add to the figures that breakers check; of a catalogue or of some decisions. `loss` in cents times stock. */
export type Figures = { readonly changed: number; readonly atMinimum: number; readonly loss: number };

const LOOK_AGAIN_MS = 5000;
/** Lowest divisor on a database server: at least this many processes are assumed, and twice those of a minute ago. */
const LEAST_WORKERS = 8;
/** Divisor for a single process: the other half is left for prices written elsewhere (by a person). */
const ALONE = 2;

/**
 * Avoids checking all prices of the last hour every few decisions. A check returns how far each figure is from tripping a
 * breaker; while the decisions here add no more than this process's share of that, none can trip. The other shares belong to
 * other processes, and after some seconds everything is checked again. Prices older than an hour drop out, which only lowers the
 * figures.
 */
export class BreakerBudgets {
  private readonly budgets = new Map<string, { until: number; left: Figures }>();
  private readonly workers: (() => number) | undefined;

  /** `workers`: number of processes that decide prices on this database; undefined if there can be only this one. */
  constructor(workers?: () => number) {
    this.workers = workers;
  }

  /** Stores the result of a check: how far each figure may still grow. */
  keep({ company, masterid }: CatalogueRef, missing: Figures, now: Date): void {
    const parts = this.workers === undefined ? ALONE : Math.max(LEAST_WORKERS, 2 * this.workers());
    const part = (figure: number) => Math.floor(figure / parts);
    const left = { changed: part(missing.changed), atMinimum: part(missing.atMinimum), loss: part(missing.loss) };
    this.budgets.set(`${company}/${masterid}`, { until: now.getTime() + LOOK_AGAIN_MS, left });
  }

  /** Returns whether these may be added without a check, and if so counts them as added. */
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
