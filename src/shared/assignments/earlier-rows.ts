import { comparisonHolds, type Comparison } from './schema.ts';

/** A condition of a row; `value` is in lower case. */
export type Test = {
  readonly source: string;
  readonly kind: Comparison;
  readonly negated: boolean;
  readonly value: string;
};
type Earlier = { readonly order: number; readonly id: string; readonly tests: readonly Test[] };
type Visit = (row: Earlier) => void;

/**
 * The rows above a row. Each is found by the value of one of its conditions, so that 20,000 rows are not compared with each
 * other.
 */
export class EarlierRows {
  private readonly sources = new Map<string, Conditions>();
  private count = 0;

  add(id: string, tests: readonly Test[]): void {
    const row = { order: (this.count += 1), id, tests };
    // Many rows can share one condition: the rarer one finds fewer rows.
    const [rarest] = tests.toSorted((one, other) => this.of(one).rows(one).length - this.of(other).rows(other).length);
    if (rarest !== undefined) this.of(rarest).add(rarest, row);
  }

  /** Returns the id of the earliest row that matches every item for which all `tests` hold; undefined if there is none. */
  firstThatTakes(tests: readonly Test[]): string | undefined {
    let first: Earlier | undefined;
    const visit = (row: Earlier) => {
      if (first !== undefined && first.order <= row.order) return;
      if (row.tests.every((condition) => tests.some((test) => implies(test, condition)))) first = row;
    };
    for (const test of tests) this.sources.get(test.source)?.visit(test, visit);
    return first?.id;
  }

  private of({ source }: Test): Conditions {
    let found = this.sources.get(source);
    if (found === undefined) this.sources.set(source, (found = new Conditions()));
    return found;
  }
}

/** Rows by a condition on one source. */
class Conditions {
  private readonly held = new Map<Comparison, ByValue>();
  private readonly excluded = new Map<Comparison, ByValue>();

  rows({ kind, negated, value }: Test): readonly Earlier[] {
    return (negated ? this.excluded : this.held).get(kind)?.rows(value) ?? [];
  }

  add({ kind, negated, value }: Test, row: Earlier): void {
    const kinds = negated ? this.excluded : this.held;
    let values = kinds.get(kind);
    if (values === undefined) kinds.set(kind, (values = new ByValue()));
    values.add(value, row);
  }

  /** Visits at least the rows whose condition `test` implies. */
  visit({ kind, negated, value }: Test, visit: Visit): void {
    if (negated) {
      this.excluded.get(kind)?.rows(value).forEach(visit);
      return;
    }
    if (kind === 'equals') {
      this.held.get('equals')?.rows(value).forEach(visit);
      for (const values of this.excluded.values()) values.all.forEach(visit);
    }
    if (kind === 'equals' || kind === 'startsWith') this.held.get('startsWith')?.visitParts(value, visit, 'start');
    if (kind === 'equals' || kind === 'endsWith') this.held.get('endsWith')?.visitParts(value, visit, 'end');
    this.held.get('contains')?.visitParts(value, visit, 'anywhere');
  }
}

class ByValue {
  readonly all: Earlier[] = [];
  private readonly byLength = new Map<number, Map<string, Earlier[]>>();

  rows(value: string): readonly Earlier[] {
    return this.byLength.get(value.length)?.get(value) ?? [];
  }

  add(value: string, row: Earlier): void {
    this.all.push(row);
    let values = this.byLength.get(value.length);
    if (values === undefined) this.byLength.set(value.length, (values = new Map()));
    const rows = values.get(value);
    if (rows === undefined) values.set(value, [row]);
    else rows.push(row);
  }

  /** Visits at least the rows whose value is the beginning, the end or any part of `text`. */
  visitParts(text: string, visit: Visit, where: 'start' | 'end' | 'anywhere'): void {
    const lookups = this.byLength.size * (where === 'anywhere' ? text.length : 1);
    if (lookups > this.all.length) {
      this.all.forEach(visit);
      return;
    }
    for (const [length, values] of this.byLength) {
      const last = text.length - length;
      const from = where === 'end' ? Math.max(0, last) : 0;
      for (let at = from; at <= (where === 'start' ? Math.min(0, last) : last); at += 1)
        values.get(text.slice(at, at + length))?.forEach(visit);
    }
  }
}

/** Whether every text that satisfies `test` satisfies `condition` too. */
export function implies(test: Test, condition: Test): boolean {
  if (test.source !== condition.source) return false;
  if (condition.negated) {
    if (test.negated) return test.kind === condition.kind && test.value === condition.value;
    // For a fully known text it is certain whether the unwanted condition holds.
    return test.kind === 'equals' && test.value !== '' && !comparisonHolds(condition.kind, test.value, condition.value);
  }
  if (test.negated || test.value === '' || condition.value === '') return false;
  switch (test.kind) {
    case 'equals':
      return comparisonHolds(condition.kind, test.value, condition.value);
    case 'startsWith':
      return (
        (condition.kind === 'startsWith' && test.value.startsWith(condition.value)) ||
        (condition.kind === 'contains' && test.value.includes(condition.value))
      );
    case 'endsWith':
      return (
        (condition.kind === 'endsWith' && test.value.endsWith(condition.value)) ||
        (condition.kind === 'contains' && test.value.includes(condition.value))
      );
    case 'contains':
      return condition.kind === 'contains' && test.value.includes(condition.value);
  }
}
