import path from 'node:path';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';

/** Text as an SQL literal; only our own paths, ids and dialect marks are written this way. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * DuckDB for one import: sees the work folder and the folders of the data and the result, nothing else, and cannot be
 * unlocked by any statement (T9). 1 GB is enough for any number of rows, more only makes the process bigger.
 */
export class ImportSession {
  private readonly instance: DuckDBInstance;
  readonly connection: DuckDBConnection;
  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.instance = instance;
    this.connection = connection;
  }

  static async open(workFolder: string, others: readonly string[], memoryLimit = '1GB'): Promise<ImportSession> {
    const instance = await DuckDBInstance.create(':memory:', { memory_limit: memoryLimit });
    const connection = await instance.connect();
    const folders = [workFolder, ...others].map((folder) => literal(`${folder}/`)).join(', ');
    await connection.run(`SET temp_directory = ${literal(path.join(workFolder, 'duckdb-tmp'))}`);
    await connection.run(`SET allowed_directories = [${folders}]`);
    await connection.run('SET autoinstall_known_extensions = false');
    await connection.run('SET autoload_known_extensions = false');
    await connection.run('SET enable_external_access = false');
    await connection.run('SET lock_configuration = true');
    return new ImportSession(instance, connection);
  }

  async run(sql: string): Promise<void> {
    await this.connection.run(sql);
  }

  /** All rows, values as JavaScript values in column order. Only for small answers. */
  async rows(sql: string): Promise<unknown[][]> {
    return (await this.connection.runAndReadAll(sql)).getRowsJS();
  }

  /** Rows of a large answer in pieces. */
  async *pieces(sql: string): AsyncGenerator<unknown[][]> {
    const result = await this.connection.stream(sql);
    for (;;) {
      const chunk = await result.fetchChunk();
      if (!chunk || chunk.rowCount === 0) return;
      yield chunk.getRows();
    }
  }

  close(): void {
    this.connection.closeSync();
    this.instance.closeSync();
  }
}
