import { namedFields } from '#engine/ir/fields-of.ts';
import { readRules } from '#engine/read/read-rules.ts';
import type * as compiled from '#engine/ir/rules.ts';
import { snapshotRelation, type Relation } from '#engine/duckdb/relation.ts';
import { isSource } from '#engine/ir/source-key.ts';
import { gridFields } from '#catalogue/columns.ts';
import { resolveScope, type Scope } from '#catalogue/exports.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { neededSnapshot, type SnapshotRecord } from '#catalogue/snapshots.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import type { Ids } from '#platform/ids.ts';
import type { Field } from '#shared/items/schema.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { loadRules } from '#feed/stages/rules/store.ts';
import { requireWithinBudget } from './rule-budget.ts';
import { itemsWithMappings, type ItemsWithMappings } from './items-with-mappings.ts';

export type RuleDeps = {
  database: Database;
  duckdb: DuckDb;
  storagePaths: StoragePaths;
  ids: Ids;
};

/** What questions about unsaved rules are answered on: the live items, and the saved rules that run before them. */
export type RuleState = {
  readonly scope: Scope;
  readonly snapshot: SnapshotRecord;
  /** The master's rules where the scope is an export; none where `mapped` items stand behind them already. */
  readonly above: readonly Rule[];
  readonly mapped: ItemsWithMappings | undefined;
  readonly fields: readonly Field[];
};

/**
 * The state of a master or an export for the given rules; 404 for an unknown or foreign id, 409 before the first import, 422 for
 * rules that are too large to ask about.
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
  if (scope.kind === 'master') {
    requireWithinBudget(rules, snapshot.fields.length);
    return { scope, snapshot, above: [], mapped: undefined, fields };
  }
  const reads = new Set(rules.flatMap((rule) => sourcesOf(rule)));
  const mapped =
    reads.size === 0
      ? undefined
      : await itemsWithMappings(trx, storagePaths, { company, masterid: scope.masterid, id }, reads);
  const above = mapped ? [] : (await loadRules(trx, company, `master:${scope.masterid}`)).rules;
  requireWithinBudget([...above, ...rules], snapshot.fields.length);
  return { scope, snapshot, above, mapped, fields };
}

/** The results of mappings that a rule reads; a paused one may be the one that is asked about. */
function sourcesOf(rule: Rule): string[] {
  const [read] = readRules([rule], rule.id);
  return read === undefined ? [] : [...namedFields(read)].filter(isSource);
}

/** The items that the rules begin with. */
export function itemsOf(
  storagePaths: StoragePaths,
  { snapshot, mapped }: Pick<RuleState, 'snapshot' | 'mapped'>,
): Relation {
  const { company, masterid, number, fields } = snapshot;
  return mapped?.relation ?? snapshotRelation({ path: storagePaths.snapshot(company, masterid, number), fields });
}

/** The id of a rule by its place: lists of two scopes, or a careless one, may know the same id twice. */
export const ownId = (index: number) => `own${index}`;
export const aboveId = (index: number) => `above${index}`;

/** The rules of both scopes as one list in the order they run, with ids made of their indexes. The rule at index `requested` counts as active. */
export function rulesInOrder(above: readonly Rule[], own: readonly Rule[], requested?: number): compiled.Rule[] {
  const named = [
    ...above.map((rule, index) => ({ ...rule, id: aboveId(index) })),
    ...own.map((rule, index) => ({ ...rule, id: ownId(index) })),
  ];
  return readRules(named, requested === undefined ? undefined : ownId(requested));
}
