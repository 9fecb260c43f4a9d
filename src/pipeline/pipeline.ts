import { snapshotRelation, type Relation } from '#engine/relation.ts';
import type { SnapshotRecord } from '#items/snapshots.ts';
import type { ConstructionRow } from '#shared/construction.ts';
import type { Rule } from '#shared/rules.ts';
import { constructionStage, passThrough, type Constructed } from './construction/stage.ts';
import { rulesStage } from './rules/stage.ts';

/** The configuration that one export run works with, each part at the revision named in the run's record. */
export type ExportPlan = {
  snapshot: SnapshotRecord;
  path: string;
  masterRules: readonly Rule[];
  exportRules: readonly Rule[];
  construction: readonly ConstructionRow[];
};

/** The way of an item from the merchant's catalogue to the export's fields. Previews take the same way and stop earlier. */
export function exportPipeline(plan: ExportPlan): Constructed {
  let items: Relation = snapshotRelation({ path: plan.path, fields: plan.snapshot.fields });
  items = rulesStage(items, plan.masterRules);
  items = rulesStage(items, plan.exportRules);
  return construct(plan, items).constructed;
}

/** The last stage, with the rows it is made from: those of the plan, or without any every field under its own name. */
export function construct(
  plan: Pick<ExportPlan, 'snapshot' | 'construction'>,
  items: Relation,
): { constructed: Constructed; rows: readonly ConstructionRow[] } {
  const rows = plan.construction.length > 0 ? plan.construction : passThrough([...items.columns.keys()]);
  const guesses = new Map(plan.snapshot.fields.map((field) => [field.name, field.guess]));
  return { constructed: constructionStage(items, rows, guesses), rows };
}
