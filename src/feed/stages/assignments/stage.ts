import { assign } from '#engine/duckdb/assign.ts';
import type { Relation } from '#engine/duckdb/relation.ts';
import type { Live } from '#engine/duckdb/rule-batches.ts';
import { sourceKey } from '#engine/ir/source-key.ts';
import {
  exportTableNames,
  INTERNAL_FIELDS,
  type CategoryRow,
  type ExportTable,
  type Mapping,
  type MappingRow,
} from '#shared/assignments/schema.ts';
import type { TargetEntry } from '#shared/targets/schema.ts';
import { assignRows, rowKeys, type TableRow } from './rows.ts';

/** The tables of an export with the lists their targets come from. */
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

/** Mappings that run: active and named, in their order; of equal names the first counts (MAP-05). */
export function runningMappings<M extends Pick<Mapping, 'active' | 'name'>>(mappings: readonly M[]): M[] {
  const names = new Set<string>();
  return mappings.filter(({ active, name }) => {
    if (!active || name.trim() === '' || names.has(name)) return false;
    names.add(name);
    return true;
  });
}

/** The mappings whose results are read behind them, by later mappings too; the others cost nothing. */
export function neededMappings(mappings: readonly Mapping[], reads: ReadonlySet<string>): Mapping[] {
  const wanted = new Set(reads);
  const needed: Mapping[] = [];
  for (const mapping of runningMappings(mappings).toReversed()) {
    if (!wanted.has(mappingKey(mapping))) continue;
    needed.unshift(mapping);
    rowKeys(mapping.data).forEach((key) => wanted.add(key));
  }
  return needed;
}

/** Every mapping becomes a field of type _mapping under its name; later ones see the results of earlier ones (MAP-09). */
export function mappingStage(relation: Relation, mappings: readonly Mapping[]): Relation {
  return mappings.reduce((items, mapping) => {
    const rows = assignRows(mapping.data).map(({ conditions, outputs }) => ({
      conditions,
      outputs: outputs.slice(0, 1),
    }));
    return assign(items, rows, [mappingKey(mapping)]);
  }, relation);
}

/** The internal fields that a table makes, with the place of their value among the row's outputs. */
export function internalOf(table: ExportTable): { key: string; output: number }[] {
  const outputs = { target: 0, name: 1, info: 2 } as const;
  return INTERNAL_FIELDS.flatMap((field) =>
    'from' in field && field.from === table
      ? [{ key: sourceKey('_intern', field.value), output: outputs[field.part] }]
      : [],
  );
}

/** Tables whose results are read behind them, by later tables too. */
export function neededTables(tables: ExportTables, reads: ReadonlySet<string>): ExportTable[] {
  const wanted = new Set(reads);
  const needed: ExportTable[] = [];
  for (const table of exportTableNames.toReversed()) {
    if (!internalOf(table).some(({ key }) => wanted.has(key))) continue;
    needed.unshift(table);
    rowKeys(tables[table]).forEach((key) => wanted.add(key));
  }
  return needed;
}

/** Categories, brands and colours become internal fields (CAT-12). */
export function tableStage(relation: Relation, tables: ExportTables, wanted: readonly ExportTable[]): Relation {
  return wanted.reduce((items, table) => {
    const made = internalOf(table);
    const rows = assignRows(tables[table], tables.targets[table]).map(({ conditions, outputs }) => ({
      conditions,
      outputs: made.map(({ output }) => outputs[output] ?? ''),
    }));
    return assign(
      items,
      rows,
      made.map(({ key }) => key),
    );
  }, relation);
}

/** What the given mappings and tables look at, for stages before them. */
export function keysBefore(rows: readonly (readonly TableRow[])[], live: Live): Live {
  return live === 'all' ? 'all' : new Set([...live, ...rows.flatMap(rowKeys)]);
}
