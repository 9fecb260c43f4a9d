import { ID, inOrder, nextStep, ROW, snapshotRelation, type Relation } from '#engine/duckdb/relation.ts';
import type { Batches, Live } from '#engine/duckdb/rule-batches.ts';
import { isSource, sourceKey } from '#engine/ir/source-key.ts';
import type { SnapshotRecord } from '#catalogue/snapshots.ts';
import { join, name, duck, type Statement } from '#platform/duckdb/sql.ts';
import type { Mapping } from '#shared/assignments/schema.ts';
import type { AttributeValue } from '#shared/attributes/schema.ts';
import type { ChannelTemplate } from '#shared/channels/schema.ts';
import type { ConstructionRow } from '#shared/construction/schema.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { rowKeys } from '#feed/stages/assignments/rows.ts';
import {
  keysBefore,
  mappingStage,
  neededMappings,
  neededTables,
  tableStage,
  type ExportTables,
} from '#feed/stages/assignments/stage.ts';
import { attributeCases } from '#feed/stages/attributes/values.ts';
import {
  constructionStage,
  exportFields,
  fieldReads,
  hasSources,
  passThrough,
  type Constructed,
  type ExportField,
} from '#feed/stages/construction/stage.ts';
import { fieldsBefore, namedInRules, rulesStage } from '#feed/stages/rules/stage.ts';

/** The configuration that one export run works with, each part at the revision named in the run's record. */
export type ExportPlan = {
  snapshot: SnapshotRecord;
  path: string;
  masterRules: readonly Rule[];
  mappings: readonly Mapping[];
  exportRules: readonly Rule[];
  tables: ExportTables;
  construction: readonly ConstructionRow[];
  /** Values of attributes, set by category. */
  attributes: readonly AttributeValue[];
  /** That of the channel; undefined if we have none. */
  template: ChannelTemplate | undefined;
  /** A part of the items, where not all are wanted. */
  items?: Relation;
};
export type MasterPlan = Pick<ExportPlan, 'snapshot' | 'path' | 'masterRules' | 'mappings' | 'items'>;

/** The items as the export has them. `statements` run first, on the connection that then reads; mostly there are none. */
export type Pipelined = Constructed & { readonly statements: readonly Statement[] };

/** The way of an item from the merchant's catalogue to the export's fields. Previews take the same way and stop earlier. */
export function exportPipeline(plan: ExportPlan): Pipelined {
  const reads = constructionReads(plan);
  const live = passesThrough(plan) ? 'all' : reads;
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
  const kept = all.has(INDEX) ? numbered(own.relation) : own.relation;
  return {
    statements: [...master.statements, ...own.statements],
    relation: tableStage(kept, plan.tables, tables),
  };
}

/** The internal field 'Laufende Nummer': a channel's messages must be numbered from 1 on. */
export const INDEX = sourceKey('_intern', 'index');

/** The items with their numbers in the file's order. Only those who read the number pay for it: it keeps the items in one line. */
function numbered(relation: Relation): Relation {
  const columns = new Map([...relation.columns, [INDEX, 'item_index']]);
  const own = [...new Set(relation.columns.values())].map(name);
  const place = duck`CAST(row_number() OVER (${inOrder(relation)}) AS VARCHAR) AS ${name('item_index')}`;
  return nextStep(
    relation,
    duck`SELECT ${join([ID, ROW, ...own, place], duck`, `)} FROM ${name(relation.from)}`,
    columns,
  );
}

/** The items behind the master's rules, with the results of the mappings that are read. */
export function masterItems(plan: MasterPlan, live: Live, reads: ReadonlySet<string>): Batches {
  const items = plan.items ?? snapshotRelation({ path: plan.path, fields: plan.snapshot.fields });
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

/** What the construction and the attributes read by name. */
export function constructionReads(plan: Pick<ExportPlan, 'construction' | 'attributes'>): ReadonlySet<string> {
  return new Set(exportFields(plan.construction, attributeCases(plan.attributes)).flatMap(fieldReads));
}

/** Nothing is constructed: every field goes out under its own name. */
export const passesThrough = ({ construction, attributes }: Pick<ExportPlan, 'construction' | 'attributes'>): boolean =>
  !hasSources(construction) && (construction.length === 0 || attributes.length === 0);

/** The fields of the export; `names` are the items' fields, for an export that constructs nothing. */
export function fieldsOf(
  plan: Pick<ExportPlan, 'construction' | 'attributes'>,
  names: () => readonly string[],
): ExportField[] {
  const rows = passesThrough(plan) ? passThrough(names()) : plan.construction;
  return exportFields(rows, attributeCases(plan.attributes));
}

/** The last stage, with the fields it makes. */
export function construct(
  plan: Pick<ExportPlan, 'snapshot' | 'construction' | 'attributes' | 'template'>,
  items: Relation,
): { constructed: Constructed; fields: readonly ExportField[] } {
  const fields = fieldsOf(plan, () => [...items.columns.keys()].filter((key) => !isSource(key)));
  const guesses = new Map(plan.snapshot.fields.map((field) => [field.name, field.guess]));
  return { constructed: constructionStage(items, fields, { guesses, fields: plan.template?.fields ?? [] }), fields };
}
