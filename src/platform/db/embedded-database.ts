import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import { DatabaseError, type EmbeddedDatabase, type Settings } from './embedded-thread.ts';

/**
 * Kysely's driver for the single connection of PGlite. Kysely's own PGlite driver hands the connection out without waiting, so a
 * query could slip into another caller's open transaction, and so into its tenant; here one caller at a time has the connection.
 */
export class EmbeddedDriver implements Driver {
  private readonly database: EmbeddedDatabase;
  private queue: Promise<void> = Promise.resolve();
  private release: () => void = () => {};
  /**
   * A requested transaction begins, with its settings, in the message of its first statement: a message to the worker and back costs
   * as much as a short statement.
   */
  private begins: Settings | undefined;
  /** Whether a statement of the transaction failed: PostgreSQL rolls it back even if it is told to commit. */
  private failed = false;

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
        const answer = this.database.send('query', query.sql, { params: query.parameters, begins: this.begins });
        // Only now: what could not be sent has not begun the transaction.
        this.begins = undefined;
        const { rows, affectedRows } = await answer.catch((error: unknown) => {
          this.failed ||= error instanceof DatabaseError;
          throw error;
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
    this.begins = {};
    this.failed = false;
  }

  /** Adds settings to the transaction that has just begun. */
  set(settings: Settings): void {
    if (this.begins === undefined) throw new Error('the transaction has sent statements already');
    this.begins = { ...this.begins, ...settings };
  }

  async commitTransaction(): Promise<void> {
    if (this.failed) throw new Error('a statement of the transaction failed, so nothing of it was saved');
    await this.end('commit');
  }

  rollbackTransaction(): Promise<void> {
    return this.end('rollback');
  }

  private async end(how: 'commit' | 'rollback'): Promise<void> {
    // Without any statement the transaction has not begun.
    if (this.begins === undefined) await this.database.send('exec', how);
    this.begins = undefined;
  }

  async destroy(): Promise<void> {
    await this.database.send('close', '');
  }
}
