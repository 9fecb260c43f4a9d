import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';

/** A connection to a DuckDB of its own, for tests that make their tables themselves. */
export async function rawConnection(threads = 2): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(':memory:', { threads: String(threads) });
  return instance.connect();
}
