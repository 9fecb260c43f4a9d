import type { CatalogueRef } from '#catalogue/catalogue-ref.ts';
import { offeredStock } from '#catalogue/offered-stock.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import type { Trx } from '#platform/db/database.ts';
import { loadMasterPlan } from '#feed/plan/load-master-plan.ts';
import { masterDemand } from '#feed/plan/demand.ts';
import { buildMaster } from '#feed/plan/build.ts';
import type { ItemsWithMappings } from './rule-state.ts';

/**
 * Loads the items for queries about export rules that read results of mappings or the channel's stock; `reads` are the keys of
 * these values, `id` is the export. undefined: nothing provides such values, or the rules above are too many for one statement.
 */
export async function itemsWithMappings(
  trx: Trx,
  storagePaths: StoragePaths,
  { company, masterid, id }: CatalogueRef & { id: string },
  reads: ReadonlySet<string>,
): Promise<ItemsWithMappings | undefined> {
  const plan = await loadMasterPlan(trx, storagePaths, company, masterid);
  const wanted = masterDemand(plan, { live: 'all', reads });
  const offered = wanted.offered ? await offeredStock(trx, storagePaths, { company, masterid, id }) : undefined;
  if (wanted.mappings.length === 0 && offered === undefined) return undefined;
  // Without mappings: only rules can need statements of their own, and large mappings are compiled in the DuckDB process.
  const { statements } = buildMaster(plan, { ...wanted, mappings: [], offered: false });
  if (statements.length > 0) return undefined;
  return {
    plan: { ...plan, offered },
    wanted,
    key: JSON.stringify([plan.masterRules, wanted.mappings, offered?.path]),
  };
}
