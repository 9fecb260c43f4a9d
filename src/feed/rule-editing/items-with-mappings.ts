import type { Relation } from '#engine/duckdb/relation.ts';
import type { CatalogueRef } from '#catalogue/catalogue-ref.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import type { Trx } from '#platform/db/database.ts';
import { loadMasterPlan } from '#feed/plan/load-master-plan.ts';
import { masterDemand } from '#feed/plan/demand.ts';
import { buildMaster } from '#feed/plan/build.ts';

/**
 * The items as export rules meet them when they read results of mappings: behind the master's rules, with those results.
 * `key` tells apart what they were made with.
 */
export type ItemsWithMappings = { readonly relation: Relation; readonly key: string };

/**
 * What export rules that read results of mappings are asked on; `reads` are the names under which items hold those. undefined: none
 * of the names is a mapping that runs, or the rules above are too many for one statement.
 */
export async function itemsWithMappings(
  trx: Trx,
  storagePaths: StoragePaths,
  { company, masterid }: CatalogueRef,
  reads: ReadonlySet<string>,
): Promise<ItemsWithMappings | undefined> {
  const plan = await loadMasterPlan(trx, storagePaths, company, masterid);
  const wanted = masterDemand(plan, { live: 'all', reads });
  if (wanted.mappings.length === 0) return undefined;
  const { statements, relation } = buildMaster(plan, wanted);
  if (statements.length > 0) return undefined;
  return { relation, key: JSON.stringify([plan.masterRules, wanted.mappings]) };
}
