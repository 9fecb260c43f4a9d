/**
 * The meaning of a rule as plain data without SQL. `read-rules.ts` makes it from the wire format, and one exhaustive table for
 * each kind serializes it for DuckDB; another engine would be one more table.
 */

/** A value of an operand or a part: written by the user, or the item's value of a field. */
export type Operand<T> =
  | { readonly from: 'literal'; readonly value: T }
  | { readonly from: 'field'; readonly field: string };

/** Kinds of test and their operands. A literal `undefined` is a missing or unusable operand: the test is never true. */
export type Tests = {
  contains: { readonly operand: Operand<string | undefined> };
  equals: { readonly operand: Operand<string | undefined> };
  startsWith: { readonly operand: Operand<string | undefined> };
  endsWith: { readonly operand: Operand<string | undefined> };
  isEmpty: object;
  /** Operand: canonical decimal text. */
  longerThan: { readonly operand: Operand<string | undefined> };
  moreWordsThan: { readonly operand: Operand<string | undefined> };
  /** Operand: entries without the empty ones. If from a field: its text, one entry per line. */
  containsAny: { readonly operand: Operand<readonly string[]> };
  equalsAny: { readonly operand: Operand<readonly string[]> };
  greater: { readonly operand: Operand<string | undefined> };
  greaterOrEqual: { readonly operand: Operand<string | undefined> };
  less: { readonly operand: Operand<string | undefined> };
  lessOrEqual: { readonly operand: Operand<string | undefined> };
  /** Operand: whole number. If from a field: the item's own number. */
  inHighest: { readonly operand: Operand<number | undefined> };
  inLowest: { readonly operand: Operand<number | undefined> };
  /** A checked RE2 pattern; undefined never matches. */
  matches: { readonly pattern: string | undefined };
};
export type TestKind = keyof Tests;
export type Test<K extends TestKind = TestKind> = {
  [P in K]: { readonly kind: P; readonly negated: boolean } & Tests[P];
}[K];

export type Condition =
  | { readonly kind: 'always' }
  /** A condition that cannot be executed: its rule holds for no item. */
  | { readonly kind: 'never' }
  | { readonly kind: 'field'; readonly field: string; readonly test: Test }
  | { readonly kind: 'anyField'; readonly test: Test };

export type Calculation = 'multiply' | 'divide' | 'add' | 'subtract';

/** Kinds of change of one field and the values each needs. */
export type Changes = {
  set: { readonly value: Operand<string | undefined> };
  append: { readonly value: Operand<string | undefined> };
  combine: { readonly parts: readonly Operand<string | undefined>[] };
  /** `ignoreCase`: upper and lower case letters are equal. */
  replace: { readonly pairs: readonly Replacement[]; readonly ignoreCase: boolean };
  split: { readonly separator: Operand<string | undefined>; readonly position: number };
  shorten: { readonly length: number };
  /** `by`: canonical decimal text. */
  calculate: { readonly operation: Calculation; readonly source: string; readonly by: Operand<string | undefined> };
  group: { readonly by: string };
  /** A checked RE2 pattern and a replacement in RE2's notation. */
  replacePattern: { readonly pattern: string; readonly rewrite: string };
};
export type Replacement = { readonly search: Operand<string | undefined>; readonly by: Operand<string | undefined> };
export type ChangeKind = keyof Changes;
export type Change<K extends ChangeKind = ChangeKind> = {
  [P in K]: { readonly kind: P; readonly field: string } & Changes[P];
}[K];

/** Conditions joined by AND; then the changes in order; then, if `excludes`, the item is excluded. */
export type Rule = {
  readonly id: string;
  readonly conditions: readonly Condition[];
  readonly changes: readonly Change[];
  readonly excludes: boolean;
};
