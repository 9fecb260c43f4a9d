import type { z } from 'zod';
import type { SimulatedPrice, Simulation, SimulationRequest } from '#shared/repricer/history.ts';

export type SimulationInput = z.output<typeof SimulationRequest>;
export type Simulated = z.output<typeof SimulatedPrice>;

/** The direction of a price change. A price that is not sent counts as held, whatever was computed. */
type Move = 'up' | 'down' | 'same' | 'fresh' | 'held';

/** Maximum number of rows of a simulation stored beyond the requested page; they serve other pages without a new computation. */
const KEPT_ROWS = 100_000;

/** The result of a simulation. `all`: every row of it; undefined: there are too many. */
export type Tallied = Omit<Simulation, 'id' | 'at'> & { readonly all: Simulated[] | undefined };

/** The part of a simulation that a request selects. */
type Part = Pick<SimulationInput, 'reason' | 'move' | 'offset' | 'limit'>;

/** Counts every simulated price and keeps the requested page, the most consequential first, whatever their number. */
export class SimulationTally {
  readonly #question: SimulationInput;
  readonly #wanted: number;
  #page: Simulated[] = [];
  #all: Simulated[] | undefined = [];
  readonly #counts: Omit<Tallied, 'rows' | 'cut' | 'all'> = {
    total: 0,
    matching: 0,
    reasons: {},
    up: 0,
    down: 0,
    same: 0,
    fresh: 0,
    held: 0,
    loss: 0,
    margin: { items: 0, old_cents: 0, new_cents: 0, old_sales_cents: 0, new_sales_cents: 0 },
  };

  constructor(question: SimulationInput) {
    this.#question = question;
    this.#wanted = question.offset + question.limit;
  }

  get total(): number {
    return this.#counts.total;
  }

  add(row: Simulated): void {
    const counts = this.#counts;
    const move = moveOf(row);
    counts.total++;
    counts[move]++;
    counts.reasons[row.reason] = (counts.reasons[row.reason] ?? 0) + 1;
    if (row.margin_cents !== null && row.margin_cents < 0) counts.loss++;
    this.#addMargin(row, move);
    if (this.#all?.push(row) === KEPT_ROWS + 1) this.#all = undefined;
    if (!isInPart(row, this.#question)) return;
    counts.matching++;
    this.#page.push(row);
    if (this.#page.length >= 2 * this.#wanted + 1000) this.#page = this.#sorted().slice(0, this.#wanted);
  }

  /** Adds one piece of every item whose prices and cost are known, so that both sums cover the same items. */
  #addMargin({ old_cents, new_cents, cost_cents }: Simulated, move: Move): void {
    if (old_cents === null || cost_cents === null) return;
    const then = move === 'held' || new_cents === null ? old_cents : new_cents;
    const { margin } = this.#counts;
    margin.items++;
    margin.old_cents += old_cents - cost_cents;
    margin.new_cents += then - cost_cents;
    margin.old_sales_cents += old_cents;
    margin.new_sales_cents += then;
  }

  #sorted(): Simulated[] {
    return this.#page.sort(byConsequence);
  }

  answer(cut = false): Tallied {
    const rows = this.#sorted().slice(this.#question.offset, this.#wanted);
    return { ...this.#counts, cut, rows, all: this.#all };
  }
}

/** Returns another page of a simulation whose rows are all known. Sorts them in place, so the next call finds them sorted. */
export function partOf(rows: Simulated[], part: Part): Pick<Simulation, 'matching' | 'rows'> {
  rows.sort(byConsequence);
  const found = rows.filter((row) => isInPart(row, part));
  return { matching: found.length, rows: found.slice(part.offset, part.offset + part.limit) };
}

const isInPart = (row: Simulated, { reason, move }: Part): boolean =>
  (reason === undefined || row.reason === reason) && (move === undefined || moveOf(row) === move);

function moveOf({ verdict, old_cents, new_cents }: Simulated): Move {
  if (verdict === 'none' || verdict === 'hold' || new_cents === null) return 'held';
  if (old_cents === null) return 'fresh';
  return new_cents === old_cents ? 'same' : new_cents > old_cents ? 'up' : 'down';
}

/** Compares: first prices below cost, then the largest changes, then those without an old price, held or unchanged. */
function byConsequence(one: Simulated, other: Simulated): number {
  const [[group, weight], [otherGroup, otherWeight]] = [weightOf(one), weightOf(other)];
  return (
    group - otherGroup ||
    otherWeight - weight ||
    compare(other.at ?? '', one.at ?? '') ||
    compare(one.item, other.item) ||
    compare(one.marketplace, other.marketplace)
  );
}

function weightOf(row: Simulated): [group: number, weight: number] {
  const move = moveOf(row);
  if (move !== 'held' && row.margin_cents !== null && row.margin_cents < 0) return [0, -row.margin_cents];
  if (move === 'up' || move === 'down') return [1, Math.abs((row.new_cents ?? 0) - (row.old_cents ?? 0))];
  return [move === 'fresh' ? 2 : move === 'held' ? 3 : 4, 0];
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
