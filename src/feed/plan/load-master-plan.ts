import { loadExport, resolveScope } from '#catalogue/exports.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { neededSnapshot } from '#catalogue/snapshots.ts';
import type { Trx } from '#platform/db/database.ts';
import type { ExportTable } from '#shared/assignments/schema.ts';
import type { TablePlace } from './assignment-items.ts';
import { loadMappings } from '#feed/stages/assignments/store.ts';
import { loadPlan } from './load-plan.ts';
import type { MasterPlan } from './export-plan.ts';
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

/** What is needed to run the rows of a table; `id` is a master's or an export's for mappings, an export's for the other tables. */
export async function placeOf(
  trx: Trx,
  storagePaths: StoragePaths,
  company: string,
  { id, table, mapping }: { id: string; table: ExportTable | 'mapping'; mapping?: string | undefined },
): Promise<TablePlace> {
  if (table === 'mapping') {
    const masterid = await masterOf(trx, company, id);
    return { kind: 'mapping', plan: await loadMasterPlan(trx, storagePaths, company, masterid), mapping };
  }
  await loadExport(trx, company, id);
  return { kind: 'table', plan: (await loadPlan(trx, storagePaths, company, id)).plan, table };
}

/** Where the values of a field are fetched for new rows: behind an export's rules, or behind those of a master. */
export async function fetchingPlace(
  trx: Trx,
  storagePaths: StoragePaths,
  company: string,
  id: string,
): Promise<TablePlace> {
  const scope = await resolveScope(trx, company, id);
  return placeOf(trx, storagePaths, company, { id, table: scope.kind === 'export' ? 'colors' : 'mapping' });
}
