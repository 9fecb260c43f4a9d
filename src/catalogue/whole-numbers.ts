import { numberOf } from '#engine/duckdb/number.ts';
import { ungrouped } from '#engine/duckdb/number-groups.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import type { ImportedField } from '#shared/import/schema.ts';
import { duck, name, ownNumber, statement, storedFile } from '#platform/duckdb/sql.ts';

/**
 * One field of every item as a whole number from 0 to `most`, cut to it; null where it says no number. '1.250' beside whole numbers below a
 * thousand is a thousand and more, as the import found it.
 */
export async function wholeNumbers(
  duckdb: DuckDb,
  path: string,
  { id, groups }: Pick<ImportedField, 'id' | 'groups'>,
  most: number,
  signal?: AbortSignal,
): Promise<Map<string, number | null>> {
  const number = numberOf(ungrouped(name(id), groups));
  // least and greatest pass over a null.
  const whole = duck`CASE WHEN ${number} IS NOT NULL
    THEN CAST(least(greatest(floor(${number}), 0), ${ownNumber(most)}) AS INTEGER) END`;
  const rows = await duckdb.all(
    statement(duck`SELECT _id, ${whole} AS n FROM read_parquet(${storedFile(path)})`),
    signal,
  );
  return new Map(rows.map(({ _id: item, n }) => [String(item), n === null ? null : Number(n)]));
}
