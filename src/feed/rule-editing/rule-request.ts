import { namedFields } from '#engine/ir/fields-of.ts';
import { readRules } from '#engine/read/read-rules.ts';
import { isSource } from '#engine/ir/source-key.ts';
import { gridFields } from '#catalogue/columns.ts';
import { resolveScope } from '#catalogue/exports.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { neededSnapshot } from '#catalogue/snapshots.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import type { Ids } from '#platform/ids.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { loadRules } from '#feed/stages/rules/store.ts';
import { requireWithinBudget } from './rule-budget.ts';
import { itemsWithMappings } from './items-with-mappings.ts';
import type { RuleState } from './rule-state.ts';

export type RuleDeps = {
  database: Database;
  duckdb: DuckDb;
  storagePaths: StoragePaths;
  ids: Ids;
};

/**
 * Loads the state of a master or an export for the given rules.
 * @throws 404 for an unknown or foreign id, 409 before the first import, 422 for rules that are too large to compute
 */
export async function loadState(
  trx: Trx,
  company: string,
  id: string,
  { rules, storagePaths }: { rules: readonly Rule[]; storagePaths: StoragePaths },
): Promise<RuleState> {
  const scope = await resolveScope(trx, company, id);
  const snapshot = await neededSnapshot(trx, company, scope.masterid);
  const fields = await gridFields(trx, snapshot);
  const path = storagePaths.snapshot(company, scope.masterid, snapshot.number);
  if (scope.kind === 'master') {
    requireWithinBudget(rules, snapshot.fields.length);
    return { scope, snapshot, path, above: [], mapped: undefined, fields };
  }
  const reads = new Set(rules.flatMap((rule) => sourcesOf(rule)));
  const mapped =
    reads.size === 0
      ? undefined
      : await itemsWithMappings(trx, storagePaths, { company, masterid: scope.masterid, id }, reads);
  const above = mapped ? [] : (await loadRules(trx, company, `master:${scope.masterid}`)).rules;
  requireWithinBudget([...above, ...rules], snapshot.fields.length);
  return { scope, snapshot, path, above, mapped, fields };
}

/** The results of mappings that a rule reads; paused rules count, since the requested one may be paused. */
function sourcesOf(rule: Rule): string[] {
  const [read] = readRules([rule], rule.id);
  return read === undefined ? [] : [...namedFields(read)].filter(isSource);
}
