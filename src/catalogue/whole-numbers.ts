import { numberOf } from '#engine/duckdb/number.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { duck, name, ownNumber, statement, storedFile } from '#platform/duckdb/sql.ts';

/** One field of every item as a whole number from 0 to `most`, cut to it; null where it says no number. */
export async function wholeNumbers(
  duckdb: DuckDb,
  path: string,
  field: string,
  most: number,
  signal?: AbortSignal,
): Promise<Map<string, number | null>> {
  const number = numberOf(name(field));
  // least and greatest pass over a null.
  const whole = duck`CASE WHEN ${number} IS NOT NULL
    THEN CAST(least(greatest(floor(${number}), 0), ${ownNumber(most)}) AS INTEGER) END`;
  const rows = await duckdb.all(
    statement(duck`SELECT _id, ${whole} AS n FROM read_parquet(${storedFile(path)})`),
    signal,
  );
  return new Map(rows.map(({ _id: item, n }) => [String(item), n === null ? null : Number(n)]));
}
