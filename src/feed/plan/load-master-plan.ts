import { loadExport, resolveScope } from '#catalogue/exports.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { neededSnapshot } from '#catalogue/snapshots.ts';
import type { Trx } from '#platform/db/database.ts';
import type { ExportTable } from '#shared/assignments/schema.ts';
import type { TablePlace } from './assignment-items.ts';
import { loadMappings } from '#feed/stages/assignments/store.ts';
import { loadPlan } from './load-plan.ts';
import type { MasterPlan } from './export-plan.ts';
import type { Places } from './places.ts';
import { loadRules } from '#feed/stages/rules/store.ts';

/** The master's part of the pipeline, as saved now. */
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

/** The master with this id, or the master of the export with this id. */
export async function masterOf(trx: Trx, company: string, id: string): Promise<string> {
  return (await resolveScope(trx, company, id)).masterid;
}

/** All places where rows run behind this id. */
export async function placesOf(trx: Trx, storagePaths: StoragePaths, company: string, id: string): Promise<Places> {
  const scope = await resolveScope(trx, company, id);
  return scope.kind === 'export'
    ? { export: (await loadPlan(trx, storagePaths, company, id)).plan }
    : { master: await loadMasterPlan(trx, storagePaths, company, scope.masterid) };
}

/** What is needed to run the rows of a table of an export. */
export async function placeOf(
  trx: Trx,
  storagePaths: StoragePaths,
  company: string,
  { id, table }: { id: string; table: ExportTable },
): Promise<TablePlace> {
  await loadExport(trx, company, id);
  return { kind: 'table', plan: (await loadPlan(trx, storagePaths, company, id)).plan, table };
}
