import { templateOf } from '#catalogue/channels/channel-templates.ts';
import { loadExport, type ExportRecord } from '#catalogue/exports.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { offeredStock } from '#catalogue/offered-stock.ts';
import { neededSnapshot } from '#catalogue/snapshots.ts';
import type { Trx } from '#platform/db/database.ts';
import { loadMappings, loadTables } from '#feed/stages/assignments/store.ts';
import { loadAttributes } from '#feed/stages/attributes/store.ts';
import { loadConstruction } from '#feed/stages/construction/store.ts';
import { demand } from './demand.ts';
import type { ExportPlan } from './export-plan.ts';
import { loadRules } from '#feed/stages/rules/store.ts';

export type LoadedPlan = { record: ExportRecord; plan: ExportPlan; revisions: Record<string, number> };

/** Loads everything an export run depends on in one transaction, with the revisions that make the run repeatable. */
export async function loadPlan(trx: Trx, storagePaths: StoragePaths, company: string, id: string): Promise<LoadedPlan> {
  const record = await loadExport(trx, company, id);
  const snapshot = await neededSnapshot(trx, company, record.masterid);
  const master = await loadRules(trx, company, `master:${record.masterid}`);
  const own = await loadRules(trx, company, `export:${id}`);
  const mappings = await loadMappings(trx, company, record.masterid);
  const { tables, revisions } = await loadTables(trx, company, id);
  const construction = await loadConstruction(trx, company, id);
  const attributes = await loadAttributes(trx, company, id);
  const plan: ExportPlan = {
    snapshot,
    path: storagePaths.snapshot(company, record.masterid, snapshot.number),
    masterRules: master.rules,
    mappings: mappings.mappings,
    exportRules: own.rules,
    tables,
    construction: construction.rows,
    attributes: attributes.values,
    template: templateOf(record.settings.channel),
    offered: await offeredStock(trx, storagePaths, record),
  };
  return {
    record,
    plan,
    revisions: {
      snapshot: snapshot.number,
      masterRules: master.revision,
      mappings: mappings.revision,
      exportRules: own.revision,
      ...revisions,
      construction: construction.revision,
      attributes: attributes.revision,
      ...stockRevision(plan),
      settings: record.revision,
    },
  };
}

/** The revision of the stock that a plan uses; empty if it reads none. */
export function stockRevision(plan: ExportPlan): { stock?: number } {
  return plan.offered !== undefined && demand(plan).master.offered ? { stock: plan.offered.revision } : {};
}
