import { snapshotRelation, type Relation } from '#engine/relation.ts';
import type { SnapshotRecord } from '#items/snapshots.ts';
import type { Statement } from '#platform/sql.ts';
import type { ConstructionRow } from '#shared/construction.ts';
import type { Rule } from '#shared/rules.ts';
import { constructionStage, passThrough, rowFields, type Constructed } from './construction/stage.ts';
import { fieldsBefore, rulesStage } from './rules/stage.ts';

/** The configuration that one export run works with, each part at the revision named in the run's record. */
export type ExportPlan = {
  snapshot: SnapshotRecord;
  path: string;
  masterRules: readonly Rule[];
  exportRules: readonly Rule[];
  construction: readonly ConstructionRow[];
};

/** The items as the export has them. `statements` run first, on the connection that then reads; mostly there are none. */
export type Pipelined = Constructed & { readonly statements: readonly Statement[] };

/** The way of an item from the merchant's catalogue to the export's fields. Previews take the same way and stop earlier. */
export function exportPipeline(plan: ExportPlan): Pipelined {
  const items = snapshotRelation({ path: plan.path, fields: plan.snapshot.fields });
  const live = plan.construction.length > 0 ? new Set(plan.construction.flatMap(rowFields)) : 'all';
  const master = rulesStage(items, plan.masterRules, {
    live: fieldsBefore(plan.exportRules, live),
    table: (index) => `master_rules_${index}`,
  });
  const own = rulesStage(master.relation, plan.exportRules, { live, table: (index) => `export_rules_${index}` });
  return { ...construct(plan, own.relation).constructed, statements: [...master.statements, ...own.statements] };
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
