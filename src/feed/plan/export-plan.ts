import type { OfferedStock } from '#catalogue/offered-stock.ts';
import type { SnapshotRecord } from '#catalogue/snapshots.ts';
import type { Relation } from '#engine/duckdb/relation.ts';
import { attributeCases } from '#feed/stages/attributes/values.ts';
import type { ExportTables } from '#feed/stages/assignments/tables.ts';
import { exportFields, hasSources, passThrough, type ExportField } from '#feed/stages/construction/fields.ts';
import type { Mapping } from '#shared/assignments/schema.ts';
import type { AttributeValue } from '#shared/attributes/schema.ts';
import type { ChannelTemplate } from '#shared/channels/schema.ts';
import type { ConstructionRow } from '#shared/construction/schema.ts';
import type { Rule } from '#shared/rules/schema.ts';

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
  /** The template of the channel; undefined if there is none. */
  template: ChannelTemplate | undefined;
  /** The stock of each item offered on the export's channel; undefined: it is not computed. */
  offered?: OfferedStock | undefined;
  /** Limits the run to some of the items; undefined: all. */
  items?: Relation;
  /** Set if the items are computed in parts (whole-catalogue.ts); undefined: all at once. */
  wholeCatalogue?: WholeCatalogue | undefined;
  /** Limits the run to the fields of these names; undefined: all. */
  only?: (name: string) => boolean;
};
export type MasterPlan = Pick<
  ExportPlan,
  'snapshot' | 'path' | 'masterRules' | 'mappings' | 'offered' | 'items' | 'wholeCatalogue'
>;

/** Values that depend on all items are recorded in one pass over them, or answered from it; `keys` are their columns. */
export type WholeCatalogue = { readonly rules: 'recorded' | 'answered'; readonly keys: readonly string[] };

/** What the fields of an export are made of. */
export type FieldPlan = Pick<ExportPlan, 'construction' | 'attributes' | 'only'>;

/**
 * Whether no row of the construction has a source: then every field of the catalogue is exported under its own name. Attributes
 * never change that; their fields are further columns after those of the catalogue.
 */
export const passesThrough = ({ construction }: Pick<ExportPlan, 'construction'>): boolean => !hasSources(construction);

/** The fields of the export; `names` returns the items' fields, used if there is no construction. */
export function fieldsOf(plan: FieldPlan, names: () => readonly string[]): ExportField[] {
  const rows = passesThrough(plan) ? passThrough(names()) : plan.construction;
  const fields = exportFields(rows, attributeCases(plan.attributes));
  const { only } = plan;
  return only === undefined ? fields : fields.filter(({ row }) => only(row.exportfield));
}
