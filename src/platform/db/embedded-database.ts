import { Worker } from 'node:worker_threads';
import type { DatabaseConnection, Driver, QueryResult } from 'kysely';
import { CompiledQuery } from 'kysely';

type Answer = {
  id: number;
  rows?: unknown[];
  affectedRows?: number;
  error?: { message: string; code?: string; constraint?: string };
};

/** Error of a failed statement of the embedded database, with the SQLSTATE of a real server. */
export class DatabaseError extends Error {
  readonly code: string | undefined;
  readonly constraint: string | undefined;
  constructor(message: string, code: string | undefined, constraint: string | undefined) {
    super(message);
    this.name = 'DatabaseError';
    this.code = code;
    this.constraint = constraint;
  }
}

/** Runs PGlite in a worker thread and exchanges messages with it. */
export class EmbeddedDatabase {
  private readonly worker: Worker;
  private readonly waiting = new Map<number, { resolve: (answer: Answer) => void; reject: (error: Error) => void }>();
  private last = 0;
  private dead: Error | undefined;
  readonly ready: Promise<unknown>;

  constructor(folder: string) {
    this.worker = new Worker(new URL('./pglite-worker.ts', import.meta.url), { workerData: { folder } });
    this.ready = new Promise((resolve, reject) => this.waiting.set(0, { resolve, reject }));
    this.worker.on('message', (answer: Answer) => {
      const waiter = this.waiting.get(answer.id);
      this.waiting.delete(answer.id);
      if (answer.error)
        waiter?.reject(new DatabaseError(answer.error.message, answer.error.code, answer.error.constraint));
      else waiter?.resolve(answer);
    });
    this.worker.on('error', (error) => this.fail(error instanceof Error ? error : new Error(String(error))));
    this.worker.on('exit', () => this.fail(new Error('the embedded database has ended')));
  }

  private fail(error: Error): void {
    this.dead ??= error;
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }

  /** Sends a statement to the worker. `begins`: a transaction begins before it. */
  send(
    kind: 'query' | 'exec' | 'close',
    sql: string,
    { params = [], begins = false }: { params?: readonly unknown[]; begins?: boolean } = {},
  ): Promise<Answer> {
    if (this.dead) return Promise.reject(this.dead);
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, kind, sql, params: [...params], begins });
    });
  }
}

/**
 * Kysely's driver for the single connection of PGlite. Kysely's own PGlite driver hands the connection out without waiting, so a
 * query could slip into another caller's open transaction, and so into its tenant; here one caller at a time has the connection.
 */
export class EmbeddedDriver implements Driver {
  private readonly database: EmbeddedDatabase;
  private queue: Promise<void> = Promise.resolve();
  private release: () => void = () => {};
  /** A requested transaction begins with its first statement, which saves a message to the worker and back. */
  private begins = false;

  constructor(database: EmbeddedDatabase) {
    this.database = database;
  }

  async init(): Promise<void> {
    await this.database.ready;
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.queue;
    let free: () => void = () => {};
    this.queue = new Promise((resolve) => {
      free = resolve;
    });
    await before;
    this.release = free;
    return {
      executeQuery: async <R>(query: CompiledQuery): Promise<QueryResult<R>> => {
        const { begins } = this;
        this.begins = false;
        const { rows, affectedRows } = await this.database.send('query', query.sql, {
          params: query.parameters,
          begins,
        });
        return {
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Kysely's contract: the caller names the row type
          rows: (rows ?? []) as R[],
          numAffectedRows: affectedRows === undefined ? undefined : BigInt(affectedRows),
        };
      },
      streamQuery: () => {
        throw new Error('the embedded database does not stream');
      },
    };
  }

  async releaseConnection(): Promise<void> {
    this.release();
  }

  async beginTransaction(): Promise<void> {
    this.begins = true;
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return this.end(connection, 'commit');
  }

  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return this.end(connection, 'rollback');
  }

  private async end(connection: DatabaseConnection, how: 'commit' | 'rollback'): Promise<void> {
    // Without any statement the transaction has not begun.
    if (!this.begins) await connection.executeQuery(CompiledQuery.raw(how));
    this.begins = false;
  }

  async destroy(): Promise<void> {
    await this.database.send('close', '');
  }
}
