import { assign } from '#engine/duckdb/assign.ts';
import type { Relation } from '#engine/duckdb/relation.ts';
import type { ExportTable, Mapping } from '#shared/assignments/schema.ts';
import { assignRows } from './rows.ts';
import { internalOf, mappingKey, type ExportTables } from './tables.ts';

/** Adds each mapping's result as a field of type _mapping under its name; later mappings see earlier results (MAP-09). */
export function mappingStage(relation: Relation, mappings: readonly Mapping[]): Relation {
  return mappings.reduce((items, mapping) => {
    const rows = assignRows(mapping.data).map(({ conditions, outputs }) => ({
      conditions,
      outputs: outputs.slice(0, 1),
    }));
    return assign(items, rows, [mappingKey(mapping)]);
  }, relation);
}

/** Adds the results of categories, brands and colours as internal fields (CAT-12). */
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
