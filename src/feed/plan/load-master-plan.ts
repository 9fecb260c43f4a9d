import { loadExport, resolveScope } from '#catalogue/exports.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { neededSnapshot } from '#catalogue/snapshots.ts';
import type { Trx } from '#platform/db/database.ts';
import type { ExportTable } from '#shared/assignments/schema.ts';
import type { TableContext } from './assignment-items.ts';
import { loadMappings } from '#feed/stages/assignments/store.ts';
import { loadPlan } from './load-plan.ts';
import type { MasterPlan } from './export-plan.ts';
import type { TablePlans } from './places.ts';
import { loadRules } from '#feed/stages/rules/store.ts';

/** Loads the master's part of the pipeline as currently saved. */
export async function loadMasterPlan(
  trx: Trx,
  storagePaths: StoragePaths,
  company: string,
  masterid: string,
): Promise<MasterPlan> {
  const snapshot = await neededSnapshot(trx, company, masterid);
  const { rules } = await loadRules(trx, company, `master:${masterid}`);
  const { mappings } = await loadMappings(trx, company, masterid);
  return { snapshot, path: storagePaths.snapshot(company, masterid, snapshot.number), masterRules: rules, mappings };
}

/** Returns the id itself if it is a master's, else the master of the export with this id. */
export async function masterOf(trx: Trx, company: string, id: string): Promise<string> {
  return (await resolveScope(trx, company, id)).masterid;
}

/** Loads the plans in which rows of this master or export run. */
export async function placesOf(trx: Trx, storagePaths: StoragePaths, company: string, id: string): Promise<TablePlans> {
  const scope = await resolveScope(trx, company, id);
  return scope.kind === 'export'
    ? { export: (await loadPlan(trx, storagePaths, company, id)).plan }
    : { master: await loadMasterPlan(trx, storagePaths, company, scope.masterid) };
}

/** Loads the plan for running the rows of an export's table. */
export async function placeOf(
  trx: Trx,
  storagePaths: StoragePaths,
  company: string,
  { id, table }: { id: string; table: ExportTable },
): Promise<TableContext> {
  await loadExport(trx, company, id);
  return { kind: 'table', plan: (await loadPlan(trx, storagePaths, company, id)).plan, table };
}
