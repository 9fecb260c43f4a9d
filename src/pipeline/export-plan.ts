import { templateOf } from '#items/channel-templates.ts';
import { loadExport, type ExportRecord } from '#items/exports.ts';
import type { Places } from '#items/places.ts';
import { neededSnapshot } from '#items/snapshots.ts';
import type { Trx } from '#platform/db.ts';
import { loadMappings, loadTables } from './assignments/store.ts';
import { loadAttributes } from './attributes/store.ts';
import { loadConstruction } from './construction/store.ts';
import type { ExportPlan } from './pipeline.ts';
import { loadRules } from './rules/store.ts';

export type LoadedPlan = { record: ExportRecord; plan: ExportPlan; revisions: Record<string, number> };

/** Everything an export run depends on, read in one transaction, with the revisions that make the run repeatable (design 2.3). */
export async function loadPlan(trx: Trx, places: Places, company: string, id: string): Promise<LoadedPlan> {
  const record = await loadExport(trx, company, id);
  const snapshot = await neededSnapshot(trx, company, record.masterid);
  const master = await loadRules(trx, company, `master:${record.masterid}`);
  const own = await loadRules(trx, company, `export:${id}`);
  const mappings = await loadMappings(trx, company, record.masterid);
  const { tables, revisions } = await loadTables(trx, company, id);
  const construction = await loadConstruction(trx, company, id);
  const attributes = await loadAttributes(trx, company, id);
  return {
    record,
    plan: {
      snapshot,
      path: places.snapshot(company, record.masterid, snapshot.number),
      masterRules: master.rules,
      mappings: mappings.mappings,
      exportRules: own.rules,
      tables,
      construction: construction.rows,
      attributes: attributes.values,
      template: templateOf(record.settings.channel),
    },
    revisions: {
      snapshot: snapshot.number,
      masterRules: master.revision,
      mappings: mappings.revision,
      exportRules: own.revision,
      ...revisions,
      construction: construction.revision,
      attributes: attributes.revision,
      settings: record.revision,
    },
  };
}
