import { numberOf } from '#engine/duckdb/number.ts';
import { withoutThousandsMark } from '#engine/duckdb/number-groups.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import type { ImportedField } from '#shared/import/schema.ts';
import { duck, name, ownNumber, statement, storedFile } from '#platform/duckdb/sql.ts';

/**
 * Returns one field of every item as a whole number clamped to 0 to `most`; null if it is not a number. Whether '1.250' is over a
 * thousand depends on `groups`, as the import determined it.
 */
export async function wholeNumbers(
  duckdb: DuckDb,
  path: string,
  { id, groups }: Pick<ImportedField, 'id' | 'groups'>,
  most: number,
  signal?: AbortSignal,
): Promise<Map<string, number | null>> {
  const number = numberOf(withoutThousandsMark(name(id), groups));
  // least and greatest ignore null.
  const whole = duck`CASE WHEN ${number} IS NOT NULL
    THEN CAST(least(greatest(floor(${number}), 0), ${ownNumber(most)}) AS INTEGER) END`;
  const rows = await duckdb.all(
    statement(duck`SELECT _id, ${whole} AS n FROM read_parquet(${storedFile(path)})`),
    signal,
  );
  return new Map(rows.map(({ _id: item, n }) => [String(item), n === null ? null : Number(n)]));
}
