import { compileRules } from '#engine/compile-rules.ts';
import { readRules } from '#engine/read-rules.ts';
import type { Relation } from '#engine/relation.ts';
import type { Rule } from '#shared/rules.ts';

/** The items after the active rules of a scope, top to bottom; excluded items are gone (RUL-15, GEN-03). */
export function rulesStage(
  relation: Relation,
  rules: readonly Rule[],
  live: ReadonlySet<string> | 'all' = 'all',
): Relation {
  return compileRules(relation, readRules(rules), { live });
}
