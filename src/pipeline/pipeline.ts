import { snapshotRelation, type Relation } from '#engine/relation.ts';
import type { Batches, Live } from '#engine/rule-batches.ts';
import { isSource } from '#engine/source-key.ts';
import type { SnapshotRecord } from '#items/snapshots.ts';
import type { Statement } from '#platform/sql.ts';
import type { Mapping } from '#shared/assignments.ts';
import type { ConstructionRow } from '#shared/construction.ts';
import type { Rule } from '#shared/rules.ts';
import { rowKeys } from './assignments/rows.ts';
import {
  keysBefore,
  mappingStage,
  neededMappings,
  neededTables,
  tableStage,
  type ExportTables,
} from './assignments/stage.ts';
import { constructionStage, passThrough, rowFields, type Constructed } from './construction/stage.ts';
import { fieldsBefore, namedInRules, rulesStage } from './rules/stage.ts';

/** The configuration that one export run works with, each part at the revision named in the run's record. */
export type ExportPlan = {
  snapshot: SnapshotRecord;
  path: string;
  masterRules: readonly Rule[];
  mappings: readonly Mapping[];
  exportRules: readonly Rule[];
  tables: ExportTables;
  construction: readonly ConstructionRow[];
};
export type MasterPlan = Pick<ExportPlan, 'snapshot' | 'path' | 'masterRules' | 'mappings'>;

/** The items as the export has them. `statements` run first, on the connection that then reads; mostly there are none. */
export type Pipelined = Constructed & { readonly statements: readonly Statement[] };

/** The way of an item from the merchant's catalogue to the export's fields. Previews take the same way and stop earlier. */
export function exportPipeline(plan: ExportPlan): Pipelined {
  const reads = new Set(plan.construction.flatMap(rowFields));
  const live = plan.construction.length > 0 ? reads : 'all';
  const items = exportItems(plan, live, reads);
  return { ...construct(plan, items.relation).constructed, statements: items.statements };
}

/**
 * The items behind the rules and tables of an export. `live` are the fields that somebody reads behind them, `reads` what is
 * read by name: mappings and tables that nobody reads are not computed.
 */
export function exportItems(plan: ExportPlan, live: Live, reads: ReadonlySet<string>): Batches {
  const tables = neededTables(plan.tables, reads);
  const rows = tables.map((table) => plan.tables[table]);
  const behindRules = keysBefore(rows, live);
  const all = new Set([...reads, ...rows.flatMap(rowKeys), ...namedInRules(plan.exportRules)]);
  const master = masterItems(plan, fieldsBefore(plan.exportRules, behindRules), all);
  const own = rulesStage(master.relation, plan.exportRules, {
    live: behindRules,
    table: (index) => `export_rules_${index}`,
  });
  return {
    statements: [...master.statements, ...own.statements],
    relation: tableStage(own.relation, plan.tables, tables),
  };
}

/** The items behind the master's rules, with the results of the mappings that are read. */
export function masterItems(plan: MasterPlan, live: Live, reads: ReadonlySet<string>): Batches {
  const items = snapshotRelation({ path: plan.path, fields: plan.snapshot.fields });
  const mappings = neededMappings(plan.mappings, reads);
  const rules = rulesStage(items, plan.masterRules, {
    live: keysBefore(
      mappings.map(({ data }) => data),
      live,
    ),
    table: (index) => `master_rules_${index}`,
  });
  return { statements: rules.statements, relation: mappingStage(rules.relation, mappings) };
}

/** The last stage, with the rows it is made from: those of the plan, or without any every field under its own name. */
export function construct(
  plan: Pick<ExportPlan, 'snapshot' | 'construction'>,
  items: Relation,
): { constructed: Constructed; rows: readonly ConstructionRow[] } {
  const rows =
    plan.construction.length > 0
      ? plan.construction
      : passThrough([...items.columns.keys()].filter((key) => !isSource(key)));
  const guesses = new Map(plan.snapshot.fields.map((field) => [field.name, field.guess]));
  return { constructed: constructionStage(items, rows, guesses), rows };
}
