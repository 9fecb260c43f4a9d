import type { Live } from '#engine/duckdb/rule-batches.ts';
import { exportTableNames, type ExportTable, type Mapping } from '#shared/assignments/schema.ts';
import { rowKeys, type TableRow } from './rows.ts';
import { internalOf, mappingKey, runningMappings, type ExportTables } from './tables.ts';

/** The mappings whose results are read later, also by later mappings; the others are not computed. */
export function neededMappings(mappings: readonly Mapping[], reads: ReadonlySet<string>): Mapping[] {
  const names = new Set(reads);
  const needed: Mapping[] = [];
  for (const mapping of runningMappings(mappings).toReversed()) {
    if (!names.has(mappingKey(mapping))) continue;
    needed.unshift(mapping);
    rowKeys(mapping.data).forEach((key) => names.add(key));
  }
  return needed;
}

/** The tables whose results are read later, also by later tables. */
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

/** The keys that the given mappings and tables read, for the stages before them. */
export function keysBefore(rows: readonly (readonly TableRow[])[], live: Live): Live {
  return live === 'all' ? 'all' : new Set([...live, ...rows.flatMap(rowKeys)]);
}
