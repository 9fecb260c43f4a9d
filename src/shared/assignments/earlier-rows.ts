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
    if (values === undefined) kinds.set(kind, (values = new ByValue(kind === 'endsWith' ? backwards : forwards)));
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
    if (kind === 'equals' || kind === 'startsWith') this.held.get('startsWith')?.visitBeginning(value, visit);
    if (kind === 'equals' || kind === 'endsWith') this.held.get('endsWith')?.visitBeginning(value, visit);
    this.held.get('contains')?.visitParts(value, visit);
  }
}

class ByValue {
  readonly all: Earlier[] = [];
  private readonly byValue = new Map<string, Earlier[]>();
  private readonly root = newNode(0);
  private readonly read: (text: string) => string;

  /** `read` returns a text in the direction in which values are compared. */
  constructor(read: (text: string) => string) {
    this.read = read;
  }

  rows(value: string): readonly Earlier[] {
    return this.byValue.get(value) ?? [];
  }

  add(value: string, row: Earlier): void {
    this.all.push(row);
    const rows = this.byValue.get(value);
    if (rows !== undefined) {
      rows.push(row);
      return;
    }
    const first = [row];
    this.byValue.set(value, first);
    addEntry(this.root, { value: this.read(value), rows: first });
  }

  /** Visits the rows with whose value `text` begins, in the direction of `read`. */
  visitBeginning(text: string, visit: Visit): void {
    visitAt(this.root, this.read(text), 0, visit);
  }

  /** Visits the rows whose value is a part of `text`. */
  visitParts(text: string, visit: Visit): void {
    for (let at = 0; at < text.length; at += 1) visitAt(this.root, text, at, visit);
  }
}

const forwards = (text: string): string => text;
const backwards = (text: string): string => text.split('').toReversed().join('');

/** A value, and the rows that have it. */
type Entry = { readonly value: string; readonly rows: readonly Earlier[] };
/** Values that share their first `depth` letters: the one that ends there, and longer ones, by their next letter if they are many. */
type Node = { readonly depth: number; ending?: Entry; longer: Entry[]; next?: Map<string, Node> };
const newNode = (depth: number): Node => ({ depth, longer: [] });
const MOST_UNSORTED = 4;

function addEntry(root: Node, entry: Entry): void {
  let node = root;
  while (node.next !== undefined && entry.value.length > node.depth) node = nodeBelow(node, node.next, entry);
  put(node, entry);
  if (node.next !== undefined || node.longer.length <= MOST_UNSORTED) return;
  // One level at a time: values can have thousands of first letters in common.
  node.next = new Map();
  for (const other of node.longer) put(nodeBelow(node, node.next, other), other);
  node.longer = [];
}

function nodeBelow({ depth }: Node, next: Map<string, Node>, { value }: Entry): Node {
  const letter = value.charAt(depth);
  const found = next.get(letter) ?? newNode(depth + 1);
  next.set(letter, found);
  return found;
}

function put(node: Node, entry: Entry): void {
  if (entry.value.length === node.depth) node.ending = entry;
  else node.longer.push(entry);
}

/** Visits the rows whose value stands in `text` at `at`: one walk, however many lengths the values have. */
function visitAt(root: Node, text: string, at: number, visit: Visit): void {
  for (let node: Node | undefined = root; node !== undefined; node = node.next?.get(text.charAt(at + node.depth))) {
    node.ending?.rows.forEach(visit);
    for (const { value, rows } of node.longer) if (text.startsWith(value, at)) rows.forEach(visit);
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
