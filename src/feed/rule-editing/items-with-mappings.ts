import type { StoragePaths } from '#catalogue/storage-paths.ts';
import type { Trx } from '#platform/db/database.ts';
import { loadMasterPlan } from '#feed/plan/load-master-plan.ts';
import { neededMappings } from '#feed/stages/assignments/stage.ts';
import { masterItems } from '#feed/plan/pipeline.ts';
import type { ItemsWithMappings } from './rule-request.ts';

/** What export rules that read results of mappings are asked on; `reads` are the names under which items hold those. */
export function itemsWithMappingsOf(storagePaths: StoragePaths) {
  return async (
    trx: Trx,
    company: string,
    masterid: string,
    reads: ReadonlySet<string>,
  ): Promise<ItemsWithMappings | undefined> => {
    const plan = await loadMasterPlan(trx, storagePaths, company, masterid);
    const mappings = neededMappings(plan.mappings, reads);
    if (mappings.length === 0) return undefined;
    const { statements, relation } = masterItems(plan, 'all', reads);
    if (statements.length > 0) return undefined;
    return { relation, key: JSON.stringify([plan.masterRules, mappings]) };
  };
}
