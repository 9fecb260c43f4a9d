import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from 'kysely';

/**
 * Lends the connections of a driver for one use each. Once a transaction's end is sent, its connection refuses statements: one that
 * had waited behind the statement that failed would run after the rollback, be committed on its own, and belong to no company.
 */
export class LendingDriver implements Driver {
  private readonly driver: Driver;

  constructor(driver: Driver) {
    this.driver = driver;
  }

  init(): Promise<void> {
    return this.driver.init();
  }

  async acquireConnection(): Promise<LentConnection> {
    return new LentConnection(await this.driver.acquireConnection());
  }

  beginTransaction(lent: LentConnection, settings: TransactionSettings): Promise<void> {
    return this.driver.beginTransaction(lent.connection, settings);
  }

  commitTransaction(lent: LentConnection): Promise<void> {
    return this.driver.commitTransaction(lent.end());
  }

  rollbackTransaction(lent: LentConnection): Promise<void> {
    return this.driver.rollbackTransaction(lent.end());
  }

  releaseConnection(lent: LentConnection): Promise<void> {
    return this.driver.releaseConnection(lent.end());
  }

  destroy(): Promise<void> {
    return this.driver.destroy();
  }
}

class LentConnection implements DatabaseConnection {
  readonly connection: DatabaseConnection;
  /** Kysely's own check refuses statements only once the end is answered. */
  private ended = false;

  constructor(connection: DatabaseConnection) {
    this.connection = connection;
  }

  /** Returns the connection for its last command. */
  end(): DatabaseConnection {
    this.ended = true;
    return this.connection;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.usable().executeQuery(query);
  }

  streamQuery<R>(query: CompiledQuery, chunk: number): AsyncIterableIterator<QueryResult<R>> {
    return this.usable().streamQuery(query, chunk);
  }

  private usable(): DatabaseConnection {
    if (this.ended) throw new Error('the transaction has ended');
    return this.connection;
  }
}
