import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';

/** Opens a connection to a DuckDB of its own, for tests that create their tables themselves. */
export async function rawConnection(threads = 2): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(':memory:', { threads: String(threads) });
  return instance.connect();
}
