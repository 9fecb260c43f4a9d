import { setImmediate as breathe } from 'node:timers/promises';
import {
  DuckDBConnection,
  DuckDBInstance,
  type DuckDBResult,
  type DuckDBVector,
  type DuckDBValue,
  JSDuckDBValueConverter,
} from '@duckdb/node-api';

/** A statement and the values bound to its `$1`, `$2` … marks. User text travels only as a value. */
export type Statement = { readonly sql: string; readonly values: readonly DuckDBValue[] };

/** One row of a result, column name to JavaScript value (text columns: string or null). */
export type DuckRow = Record<string, unknown>;

export type DuckOptions = {
  /** The only folder that queries may read and write. */
  folder: string;
  /** Tells instances of one folder apart: two that wrote what does not fit into memory to the same place would overwrite each other. */
  instance?: string;
  /** DuckDB notation; 2 GB is the least at which rules over Parquet do not spill badly (docs/decisions/0003). */
  memoryLimit?: string;
  threads?: number;
  /**
   * Keeps what it has read of files, up to its memory limit, while somebody asks: a page is read again and again (half the time, seen under
   * load). Runs read each file once, so that it would only grow.
   */
  keepFiles?: boolean;
  /** How long nothing must be asked until its memory is given back; shorter in tests. */
  restMs?: number;
};

/** Longer than people think between two questions. */
const REST_MS = 20_000;

/**
 * The calculator: an in-memory DuckDB, locked to one folder. It stores nothing; every table it sees is a Parquet file
 * or lives as long as a connection. After the lock no statement can widen its rights again (T9).
 *
 * While nobody asks it is closed: what it has read of files it would keep up to its limit. It opens again with the next question.
 */
export class DuckDb {
  private readonly options: DuckOptions;
  private instance: Promise<DuckDBInstance> | undefined;
  private users = 0;
  private rest: ReturnType<typeof setTimeout> | undefined;
  private constructor(options: DuckOptions) {
    this.options = options;
  }

  /** @throws where the settings are wrong: at the start of the program, not at its first question */
  static async open(options: DuckOptions): Promise<DuckDb> {
    const duckdb = new DuckDb(options);
    await duckdb.opened();
    duckdb.restLater();
    return duckdb;
  }

  private opened(): Promise<DuckDBInstance> {
    return (this.instance ??= DuckDb.openInstance(this.options).catch((error: unknown) => {
      this.instance = undefined;
      throw error;
    }));
  }

  private static async openInstance({
    folder,
    instance: own = 'main',
    memoryLimit = '2GB',
    threads,
    keepFiles = false,
  }: DuckOptions): Promise<DuckDBInstance> {
    const instance = await DuckDBInstance.create(':memory:', { memory_limit: memoryLimit });
    const connection = await instance.connect();
    const quotedFolder = folder.replaceAll("'", "''");
    await connection.run(`SET temp_directory = '${quotedFolder}/.duckdb-tmp/${own}'`);
    await connection.run(`SET allowed_directories = ['${quotedFolder}/']`);
    await connection.run(`SET enable_external_file_cache = ${keepFiles}`);
    await connection.run('SET autoinstall_known_extensions = false');
    await connection.run('SET autoload_known_extensions = false');
    if (threads !== undefined) await connection.run(`SET threads = ${Math.max(1, Math.trunc(threads))}`);
    await connection.run('SET enable_external_access = false');
    await connection.run('SET lock_configuration = true');
    connection.closeSync();
    return instance;
  }

  /** A connection of its own: temporary tables made on it vanish when it closes. Nothing rests after it was taken. */
  async connect(): Promise<DuckDBConnection> {
    this.users++;
    clearTimeout(this.rest);
    try {
      return await (await this.opened()).connect();
    } catch (error) {
      this.leave();
      throw error;
    }
  }

  /** A connection for statements that need each other's temporary tables; whoever opens it closes it. */
  async session(): Promise<DuckDbSession> {
    return new DuckDbSession(await this.connect(), () => this.leave());
  }

  private leave(): void {
    this.users--;
    if (this.users === 0) this.restLater();
  }

  private restLater(): void {
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.closeInstance(), this.options.restMs ?? REST_MS).unref();
  }

  private closeInstance(): void {
    const { instance } = this;
    this.instance = undefined;
    void instance?.then((open) => open.closeSync()).catch(() => {});
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
    clearTimeout(this.rest);
    this.closeInstance();
  }
}

/** One connection. Statements asked at the same time run one after the other. */
export class DuckDbSession {
  private readonly connection: DuckDBConnection;
  private last: Promise<unknown> = Promise.resolve();
  private readonly onClosed: () => void;
  private closed = false;
  constructor(connection: DuckDBConnection, onClosed: () => void) {
    this.connection = connection;
    this.onClosed = onClosed;
  }

  /** All rows of one statement; `signal` interrupts it, or takes it from the queue. The others are not disturbed. */
  all(statement: Statement, signal?: AbortSignal): Promise<DuckRow[]> {
    const answer = this.last.then(() => this.run(statement, signal));
    this.last = answer.catch(() => {});
    return answer;
  }

  /**
   * The rows of one statement as they come, some at a time; nothing else may be asked on this connection meanwhile. `signal` interrupts
   * it also while it computes its first rows, when whoever reads cannot end it yet.
   */
  async *stream(statement: Statement, signal?: AbortSignal): AsyncGenerator<DuckRow[]> {
    yield* this.interruptible(signal, async function* rows(connection) {
      const result = await connection.stream(statement.sql, [...statement.values]);
      yield* result.yieldRowObjectJs();
    });
  }

  /** The same, some rows at a time and each as a list of its values. */
  async *streamValues(statement: Statement, signal?: AbortSignal): AsyncGenerator<DuckDBValue[][]> {
    yield* this.interruptible(signal, async function* rows(connection) {
      const result = await connection.stream(statement.sql, [...statement.values]);
      for await (const { vectors, from, to } of portionsOf(result))
        yield Array.from({ length: to - from }, (_, at) => vectors.map((vector) => vector.getItem(from + at)));
    });
  }

  private async *interruptible<T>(
    signal: AbortSignal | undefined,
    work: (connection: DuckDBConnection) => AsyncGenerator<T>,
  ): AsyncGenerator<T> {
    signal?.throwIfAborted();
    const stop = () => this.connection.interrupt();
    signal?.addEventListener('abort', stop, { once: true });
    try {
      yield* work(this.connection);
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  private async run(statement: Statement, signal: AbortSignal | undefined): Promise<DuckRow[]> {
    signal?.throwIfAborted();
    if (this.closed) throw new Error('The session is closed');
    const stop = () => this.connection.interrupt();
    signal?.addEventListener('abort', stop, { once: true });
    try {
      const result = await this.connection.run(statement.sql, [...statement.values]);
      return await rowsOf(result, signal);
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
    void this.leave();
  }

  private async leave(): Promise<void> {
    await this.last;
    this.connection.closeSync();
    this.onClosed();
  }
}

/** Values that are made into JavaScript's before others get their turn. */
const VALUES_TOGETHER = 10_000;
type Portion = { readonly vectors: readonly DuckDBVector[]; readonly from: number; readonly to: number };

/** A result in portions of rows, with a breath after each, so that thousands of wide rows do not hold up other requests. */
async function* portionsOf(result: DuckDBResult): AsyncGenerator<Portion> {
  const together = Math.max(1, Math.floor(VALUES_TOGETHER / Math.max(1, result.columnCount)));
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    const { rowCount, columnCount } = chunk;
    const vectors = Array.from({ length: columnCount }, (_, index) => chunk.getColumnVector(index));
    for (let from = 0; from < rowCount; from += together) {
      yield { vectors, from, to: Math.min(from + together, rowCount) };
      if (rowCount > together) await breathe();
    }
  }
}

async function rowsOf(result: DuckDBResult, signal: AbortSignal | undefined): Promise<DuckRow[]> {
  const names = result.deduplicatedColumnNames();
  const rows: DuckRow[] = [];
  for await (const { vectors, from, to } of portionsOf(result)) {
    signal?.throwIfAborted();
    for (let at = from; at < to; at++) {
      const row: DuckRow = {};
      for (const [index, vector] of vectors.entries())
        row[names[index] ?? ''] = JSDuckDBValueConverter(vector.getItem(at), vector.type, JSDuckDBValueConverter);
      rows.push(row);
    }
  }
  return rows;
}
