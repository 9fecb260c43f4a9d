import { DuckDBConnection, DuckDBInstance, type DuckDBValue } from '@duckdb/node-api';

/** A statement and the values bound to its `$1`, `$2` … marks. User text travels only as a value. */
export type Statement = { readonly sql: string; readonly values: readonly DuckDBValue[] };

/** One row of a result, column name to JavaScript value (text columns: string or null). */
export type DuckRow = Record<string, unknown>;

export type DuckOptions = {
  /** The only folder that queries may read and write. */
  folder: string;
  /** DuckDB notation; 2 GB is the least at which rules over Parquet do not spill badly (docs/decisions/0003). */
  memoryLimit?: string;
  threads?: number;
};

/**
 * The calculator: an in-memory DuckDB, locked to one folder. It stores nothing; every table it sees is a Parquet file
 * or lives as long as a connection. After the lock no statement can widen its rights again (T9).
 */
export class DuckDb {
  private readonly instance: DuckDBInstance;
  private constructor(instance: DuckDBInstance) {
    this.instance = instance;
  }

  static async open({ folder, memoryLimit = '2GB', threads }: DuckOptions): Promise<DuckDb> {
    const instance = await DuckDBInstance.create(':memory:', { memory_limit: memoryLimit });
    const connection = await instance.connect();
    const quotedFolder = folder.replaceAll("'", "''");
    await connection.run(`SET temp_directory = '${quotedFolder}/.duckdb-tmp'`);
    await connection.run(`SET allowed_directories = ['${quotedFolder}/']`);
    await connection.run('SET autoinstall_known_extensions = false');
    await connection.run('SET autoload_known_extensions = false');
    if (threads !== undefined) await connection.run(`SET threads = ${Math.max(1, Math.trunc(threads))}`);
    await connection.run('SET enable_external_access = false');
    await connection.run('SET lock_configuration = true');
    connection.closeSync();
    return new DuckDb(instance);
  }

  /** A connection of its own: temporary tables made on it vanish when it closes. */
  connect(): Promise<DuckDBConnection> {
    return this.instance.connect();
  }

  /** A connection for statements that need each other's temporary tables; whoever opens it closes it. */
  async session(): Promise<DuckDbSession> {
    return new DuckDbSession(await this.connect());
  }

  /** All rows of one statement. `signal` interrupts the query; the error then is the signal's reason. */
  async all(statement: Statement, signal?: AbortSignal): Promise<DuckRow[]> {
    signal?.throwIfAborted();
    const session = await this.session();
    try {
      return await session.all(statement, signal);
    } finally {
      session.close();
    }
  }

  /** The rows of the last of several statements, which run on one connection. */
  async last(statements: readonly Statement[], signal?: AbortSignal): Promise<DuckRow[]> {
    const session = await this.session();
    try {
      let rows: DuckRow[] = [];
      for (const statement of statements) rows = await session.all(statement, signal);
      return rows;
    } finally {
      session.close();
    }
  }

  close(): void {
    this.instance.closeSync();
  }
}

/** One connection. Statements asked at the same time run one after the other. */
export class DuckDbSession {
  private readonly connection: DuckDBConnection;
  private last: Promise<unknown> = Promise.resolve();
  private closed = false;
  constructor(connection: DuckDBConnection) {
    this.connection = connection;
  }

  /** All rows of one statement; `signal` interrupts it, or takes it from the queue. The others are not disturbed. */
  all(statement: Statement, signal?: AbortSignal): Promise<DuckRow[]> {
    const answer = this.last.then(() => this.run(statement, signal));
    this.last = answer.catch(() => {});
    return answer;
  }

  /** The rows of one statement as they come, some at a time; nothing else may be asked on this connection meanwhile. */
  async *stream(statement: Statement): AsyncGenerator<DuckRow[]> {
    const result = await this.connection.stream(statement.sql, [...statement.values]);
    yield* result.yieldRowObjectJs();
  }

  private async run(statement: Statement, signal: AbortSignal | undefined): Promise<DuckRow[]> {
    signal?.throwIfAborted();
    if (this.closed) throw new Error('The session is closed');
    const stop = () => this.connection.interrupt();
    signal?.addEventListener('abort', stop, { once: true });
    try {
      const reader = await this.connection.runAndReadAll(statement.sql, [...statement.values]);
      return reader.getRowObjectsJS();
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  /** Interrupts what runs and drops the temporary tables; statements that wait fail. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.connection.interrupt();
    void this.last.then(() => this.connection.closeSync());
  }
}
