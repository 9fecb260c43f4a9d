import { numberOf } from '#engine/duckdb/number.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { duck, name, ownNumber, ownText, statement } from '#platform/duckdb/sql.ts';

/** One field of every item as a whole number from 0 to `most`, cut to it; null where it says no number. */
export async function wholeNumbers(
  duckdb: DuckDb,
  path: string,
  field: string,
  most: number,
  signal?: AbortSignal,
): Promise<Map<string, number | null>> {
  const number = duck`CAST(least(greatest(floor(${numberOf(name(field))}), 0), ${ownNumber(most)}) AS INTEGER)`;
  const rows = await duckdb.all(
    statement(duck`SELECT _id, ${number} AS n FROM read_parquet(${ownText(path)})`),
    signal,
  );
  return new Map(rows.map(({ _id: item, n }) => [String(item), n === null ? null : Number(n)]));
}
