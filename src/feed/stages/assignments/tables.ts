import { sourceKey } from '#engine/ir/source-key.ts';
import {
  INTERNAL_FIELDS,
  type CategoryRow,
  type ExportTable,
  type Mapping,
  type MappingRow,
} from '#shared/assignments/schema.ts';
import type { TargetEntry } from '#shared/targets/schema.ts';

/** The tables of an export with the lists of their targets. */
export type ExportTables = {
  readonly categories: readonly CategoryRow[];
  readonly brands: readonly MappingRow[];
  readonly colors: readonly MappingRow[];
  readonly targets: Readonly<Record<ExportTable, ReadonlyMap<string, TargetEntry>>>;
};

export const noTables: ExportTables = {
  categories: [],
  brands: [],
  colors: [],
  targets: { categories: new Map(), brands: new Map(), colors: new Map() },
};

export const mappingKey = (mapping: Pick<Mapping, 'name'>) => sourceKey('_mapping', mapping.name);

/** The mappings that run: active and named, in order; of equal names the first wins (MAP-05). */
export function runningMappings<M extends Pick<Mapping, 'active' | 'name'>>(mappings: readonly M[]): M[] {
  const names = new Set<string>();
  return mappings.filter(({ active, name }) => {
    if (!active || name.trim() === '' || names.has(name)) return false;
    names.add(name);
    return true;
  });
}

/** The internal fields that a table fills, each with the index of its value among the row's outputs. */
export function internalOf(table: ExportTable): { key: string; output: number }[] {
  const outputs = { target: 0, name: 1, info: 2 } as const;
  return INTERNAL_FIELDS.flatMap((field) =>
    'from' in field && field.from === table
      ? [{ key: sourceKey('_intern', field.value), output: outputs[field.part] }]
      : [],
  );
}
