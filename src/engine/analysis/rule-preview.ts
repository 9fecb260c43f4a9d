import { join, name, ownNumber, duck, statement, type Statement } from '#platform/duckdb/sql.ts';
import { liveFields, rulesProgram } from '#engine/duckdb/compile-rules.ts';
import { fieldsOf } from '#engine/ir/fields-of.ts';
import type { Rule } from '#engine/ir/rules.ts';
import { keepStatement, type Relation } from '#engine/duckdb/relation.ts';
import { compileRulesInBatches, type Batches, type Cutting, type Live } from '#engine/duckdb/rule-batches.ts';

/** The fields that queries about a rule read: its own and those to be shown. */
export function previewFields(rule: Rule, show: Iterable<string>): Live {
  const used = fieldsOf(rule);
  return used === 'all' ? 'all' : new Set([...used, ...show]);
}

/** Whether rules exclude items or change fields that are read after them; if not, queries may read the items unchanged. */
export function affectsLaterRules(relation: Relation, rules: readonly Rule[], live: Live): boolean {
  const { program } = rulesProgram(relation, rules);
  if (program.excludedAt()) return true;
  const { program: untouched } = rulesProgram(relation, []);
  const fields = liveFields(program, live);
  return fields.some((field) => JSON.stringify(program.text(field)) !== JSON.stringify(untouched.text(field)));
}

/**
 * Stores the items that reach a rule, with the fields that are read of them, in a temporary table. Made once for each editing
 * session, it saves every later query from running the rules above: 50 of them take seconds on a million items. The query then
 * runs this rule alone. `table` generates table names from a number; the statements run in order on one connection.
 */
export function previewBase(
  relation: Relation,
  above: readonly Rule[],
  { live, ...cutting }: Cutting & { live: Live },
): Batches {
  const items = compileRulesInBatches(relation, above, { live, ...cutting });
  const stored = keepStatement(items.relation, cutting.table(items.statements.length), items.relation.columns.keys());
  return { statements: [...items.statements, stored.statement], relation: stored.relation };
}

/** Bytes that DuckDB needs for a cell in addition to its text. */
const CELL = 16;

/** Estimates how much memory a stored table takes; the query returns one row with the column `bytes`. */
export function storedBytes(stored: Relation): Statement {
  const columns = [...stored.columns.values()].map(
    (column) => duck`coalesce(strlen(${name(column)}), 0) + ${ownNumber(CELL)}`,
  );
  const cells = columns.length === 0 ? duck`0` : join(columns, duck` + `);
  return statement(
    duck`SELECT CAST(coalesce(sum(${ownNumber(2 * CELL)} + ${cells}), 0) AS DOUBLE) AS bytes FROM ${name(stored.from)}`,
  );
}
