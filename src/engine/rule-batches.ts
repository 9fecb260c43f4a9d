import type { Statement } from '#platform/sql.ts';
import { compileRules } from './compile-rules.ts';
import { fieldsOf } from './fields-of.ts';
import type { Rule } from './ir.ts';
import { keepStatement, type Relation } from './relation.ts';

/**
 * DuckDB binds at most 1,000 steps within each other, and later stages want some. Only hundreds of rules that build on
 * each other's results, or dozens of rankings behind each other, come to so many.
 */
export const MOST_STEPS = 300;

/** Statements to run first, in order, on the connection that then reads the relation; mostly none. */
export type Batches = { readonly statements: readonly Statement[]; readonly relation: Relation };

/**
 * `compileRules` for lists of any length: where one statement would get too deep, the items between two batches of rules
 * are kept in a temporary table. `table` makes generated names of tables, by number.
 */
export function compileRulesInBatches(
  relation: Relation,
  rules: readonly Rule[],
  { live, table }: { live: ReadonlySet<string> | 'all'; table: (index: number) => string },
): Batches {
  const done = compileRules(relation, rules, { live });
  const half = Math.ceil(rules.length / 2);
  if (done.steps.length - relation.steps.length <= MOST_STEPS || half === rules.length) {
    return { statements: [], relation: done };
  }
  const rest = rules.slice(half);
  const first = compileRulesInBatches(relation, rules.slice(0, half), { live: neededBy(rest, live), table });
  const kept = keepStatement(first.relation, table(first.statements.length), first.relation.columns.keys());
  const made = [...first.statements, kept.statement];
  const second = compileRulesInBatches(kept.relation, rest, { live, table: (index) => table(made.length + index) });
  return { statements: [...made, ...second.statements], relation: second.relation };
}

/** What the rules and whoever comes behind them read. */
function neededBy(rules: readonly Rule[], live: ReadonlySet<string> | 'all'): ReadonlySet<string> | 'all' {
  if (live === 'all') return 'all';
  const needed = new Set(live);
  for (const rule of rules) {
    const fields = fieldsOf(rule);
    if (fields === 'all') return 'all';
    fields.forEach((field) => needed.add(field));
  }
  return needed;
}
