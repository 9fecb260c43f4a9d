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
  /** What the export's channel is offered of each item; undefined: nobody computes it. */
  offered?: OfferedStock | undefined;
  /** Limits the run to some of the items; undefined: all. */
  items?: Relation;
  /** The items are computed in parts (whole-catalogue.ts); undefined: all at once. */
  wholeCatalogue?: WholeCatalogue | undefined;
  /** Limits the run to the fields of these names; undefined: all. */
  only?: (name: string) => boolean;
};
export type MasterPlan = Pick<
  ExportPlan,
  'snapshot' | 'path' | 'masterRules' | 'mappings' | 'offered' | 'items' | 'wholeCatalogue'
>;

/** What looks at all items is recorded in one pass over them, or is answered by what that pass found; `keys` name the columns for it. */
export type WholeCatalogue = { readonly rules: 'recorded' | 'answered'; readonly keys: readonly string[] };

/** What the fields of an export are made of. */
export type FieldPlan = Pick<ExportPlan, 'construction' | 'attributes' | 'only'>;

/**
 * No row of the construction has a source: every field of the catalogue goes out under its own name. Attributes never change
 * that; their fields are further columns after those of the catalogue.
 */
export const passesThrough = ({ construction }: Pick<ExportPlan, 'construction'>): boolean => !hasSources(construction);

/** The fields of the export; `names` are the items' fields, for an export that constructs nothing. */
export function fieldsOf(plan: FieldPlan, names: () => readonly string[]): ExportField[] {
  const rows = passesThrough(plan) ? passThrough(names()) : plan.construction;
  const fields = exportFields(rows, attributeCases(plan.attributes));
  const { only } = plan;
  return only === undefined ? fields : fields.filter(({ row }) => only(row.exportfield));
}
