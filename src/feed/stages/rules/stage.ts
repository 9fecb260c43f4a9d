import { wholeCatalogueRules } from '#engine/ir/whole-catalogue.ts';
import { readRules } from '#engine/read/read-rules.ts';
import type { Relation } from '#engine/duckdb/relation.ts';
import { compileRulesInBatches, type Batches, type Live } from '#engine/duckdb/rule-batches.ts';
import type { Rule } from '#shared/rules/schema.ts';

/** How the rules of a scope run if items are computed in parts (engine/ir/whole-catalogue.ts). */
export type InParts = { readonly scope: 'master' | 'export'; readonly rules: 'recorded' | 'answered' };

/** The keys under which items hold the values of a scope's rules that depend on all items. */
export const wholeCatalogueKeys = (rules: readonly Rule[], scope: InParts['scope']): string[] =>
  wholeCatalogueRules(readRules(rules), scope).keys;

/**
 * The items that remain after the active rules of a scope, in order (RUL-15, GEN-03). `live` are the fields that later stages
 * read; `table` names temporary tables by number, for lists too long for one statement.
 */
export function rulesStage(
  relation: Relation,
  rules: readonly Rule[],
  { live, table, inParts }: { live: Live; table: (index: number) => string; inParts?: InParts | undefined },
): Batches {
  const read = readRules(rules);
  const run = inParts === undefined ? read : wholeCatalogueRules(read, inParts.scope)[inParts.rules];
  return compileRulesInBatches(relation, run, { live, table });
}
