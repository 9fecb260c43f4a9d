import type { CatalogueRef } from '#catalogue/catalogue-ref.ts';
import { offeredStock } from '#catalogue/offered-stock.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import type { Trx } from '#platform/db/database.ts';
import { loadMasterPlan } from '#feed/plan/load-master-plan.ts';
import { masterDemand } from '#feed/plan/demand.ts';
import { buildMaster } from '#feed/plan/build.ts';
import type { ItemsWithMappings } from './rule-state.ts';

/**
 * What export rules that read such values are asked on; `reads` are the names under which items hold those, `id` is the export.
 * undefined: nobody makes a value of these names, or the rules above are too many for one statement.
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
  // Only rules need statements of their own: mappings of a hundred thousand rows are compiled where they are asked.
  const { statements } = buildMaster(plan, { ...wanted, mappings: [], offered: false });
  if (statements.length > 0) return undefined;
  return {
    plan: { ...plan, offered },
    wanted,
    key: JSON.stringify([plan.masterRules, wanted.mappings, offered?.path]),
  };
}
