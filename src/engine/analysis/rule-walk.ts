import type { Sql, Statement } from '#platform/duckdb/sql.ts';
import { aggregateStatement } from '#engine/duckdb/aggregates.ts';
import { addRule, liveFields, partsRemaining, remaining, type RuleColumns } from '#engine/duckdb/compile-rules.ts';
import type { Rule } from '#engine/ir/rules.ts';
import { partsFor } from '#engine/duckdb/layers.ts';
import { Program } from '#engine/duckdb/program.ts';
import { keepStatement, type Relation } from '#engine/duckdb/relation.ts';
import { inParts, MOST_STEPS, neededBy, type Cutting, type Live } from '#engine/duckdb/rule-batches.ts';

type Row = Readonly<Record<string, unknown>>;

/** Observes the rules of one batch as they are compiled into a program, then queries all items of the batch at the end. */
export type Walker<T> = {
  /** `before` and `after` are called around each rule; `place` counts from the first rule of the whole list. */
  readonly before?: (place: number) => void;
  readonly after?: (columns: RuleColumns, place: number) => void;
  /** Returns aggregates over the batch's items, including those excluded in it, or undefined if this batch needs none. */
  readonly ask: () => { readonly aggregates: readonly Sql[]; readonly read: (row: Row) => T } | undefined;
};

/** A statement to run in order, on one connection. `read`: reads a result from its single row; undefined if it returns none. */
export type WalkStep<T> = { readonly statement: Statement; readonly read: ((row: Row) => T) | undefined };

/**
 * Returns the statements that query every rule of a list of any length: one statement if possible, else batches that store the
 * remaining items in temporary tables. Columns that a walker sets with `mark` are carried along.
 */
export function walkRules<T>(
  relation: Relation,
  rules: readonly Rule[],
  walker: (program: Program, from: number) => Walker<T>,
  { table, most = MOST_STEPS }: Cutting,
): WalkStep<T>[] {
  let tables = 0;
  const cut = { table: () => table(tables++), most };
  return walkPart(relation, { rules, from: 0, behind: undefined }, walker, cut).steps;
}

type Cut = { readonly table: () => string; readonly most: number };

/** The rules from a position on, and the fields that later rules read; undefined: there are no later rules. */
type Part = {
  readonly rules: readonly Rule[];
  readonly from: number;
  readonly behind: Live | undefined;
};

function walkPart<T>(
  relation: Relation,
  part: Part,
  walker: (program: Program, from: number) => Walker<T>,
  cut: Cut,
): { steps: WalkStep<T>[]; relation: Relation } {
  const { rules, from, behind } = part;
  const program = new Program(relation);
  const walk = walker(program, from);
  rules.forEach((rule, index) => {
    walk.before?.(from + index);
    walk.after?.(addRule(program, rule, index), from + index);
  });
  const questions = walk.ask();
  const fields = behind ? [...liveFields(program, behind), ...program.marks()] : undefined;
  const parts = Math.max(
    partsFor(program, questions?.aggregates ?? [], cut.most),
    fields ? partsRemaining(program, fields, cut.most) : 1,
  );
  if (parts > 1 && rules.length > 1) return walkParts(relation, part, walker, { ...cut, parts });
  const steps: WalkStep<T>[] = questions
    ? [{ statement: aggregateStatement(program, questions.aggregates), read: questions.read }]
    : [];
  if (!fields) return { steps, relation };
  const stored = keepStatement(remaining(program, fields), cut.table(), fields);
  return { steps: [...steps, { statement: stored.statement, read: undefined }], relation: stored.relation };
}

function walkParts<T>(
  relation: Relation,
  { rules, from, behind }: Part,
  walker: (program: Program, from: number) => Walker<T>,
  cut: Cut & { readonly parts: number },
): { steps: WalkStep<T>[]; relation: Relation } {
  const batches = inParts(rules, cut.parts);
  const steps: WalkStep<T>[] = [];
  let [items, place] = [relation, from];
  for (const [index, batch] of batches.entries()) {
    const rest = batches.slice(index + 1).flat();
    const needed = rest.length === 0 ? behind : neededBy(rest, behind ?? new Set());
    const done = walkPart(items, { rules: batch, from: place, behind: needed }, walker, cut);
    steps.push(...done.steps);
    items = done.relation;
    place += batch.length;
  }
  return { steps, relation: items };
}
