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
  /** That of the channel; undefined if we have none. */
  template: ChannelTemplate | undefined;
  /** A part of the items, where not all are wanted. */
  items?: Relation;
};
export type MasterPlan = Pick<ExportPlan, 'snapshot' | 'path' | 'masterRules' | 'mappings' | 'items'>;

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
