import { createHash } from 'node:crypto';
import { keyOf } from '#platform/duckdb/sql.ts';
import type { OutputFormat } from '#shared/exports/schema.ts';
import { cellText, thousandsIn, typedKind, type OutputColumn } from './cells.ts';
import type { Sidecars } from './store.ts';

/** Facts about a file's columns that are stored, so that a later file can be compared with it. */
export const keptOf = (
  columns: readonly OutputColumn[],
  format: OutputFormat,
): Required<Pick<Sidecars, 'header' | 'thousands' | 'spelling'>> => ({
  header: columns.map((column) => column.name),
  thousands: columns.map((column) => thousandsIn(column, format) ?? null),
  spelling: serializationHash(columns, format),
});

/**
 * A hash of how the columns' values are serialized. Row hashes show whether the values of two runs differ, but not their notation
 * in the files: if these hashes differ, the same value may be written differently.
 */
export function serializationHash(columns: readonly OutputColumn[], format: OutputFormat): string {
  const spelled = columns.map(({ empty: _empty, ...column }) => [
    column.name,
    column.list ?? null,
    column.field?.parts ?? null,
    typedKind(column, format) ?? null,
    keyOf(cellText(column, format)),
  ]);
  return createHash('sha256').update(JSON.stringify(spelled)).digest('base64url').slice(0, 32);
}
