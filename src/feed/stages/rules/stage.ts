import { readRules } from '#engine/read/read-rules.ts';
import type { Relation } from '#engine/duckdb/relation.ts';
import { compileRulesInBatches, type Batches, type Live } from '#engine/duckdb/rule-batches.ts';
import type { Rule } from '#shared/rules/schema.ts';

/**
 * The items after the active rules of a scope, top to bottom; excluded items are gone (RUL-15, GEN-03). `live` are the
 * fields that later stages read; `table` names temporary tables by number, for lists too long for one statement.
 */
export function rulesStage(
  relation: Relation,
  rules: readonly Rule[],
  { live, table }: { live: Live; table: (index: number) => string },
): Batches {
  return compileRulesInBatches(relation, readRules(rules), { live, table });
}
