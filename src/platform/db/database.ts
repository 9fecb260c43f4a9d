import {
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type Transaction,
} from 'kysely';
import postgres from 'pg';
import { randomIds } from '#platform/ids.ts';
import type { Metrics } from '#platform/telemetry/metrics.ts';
import { Activity } from './activity.ts';
import { currentClientSignal } from './client-signal.ts';
import { ChangeWatcher } from './change-watcher.ts';
import { type Made, withMade } from './make-first.ts';
import { OTHERS_MS, waitForConnection } from './connection-wait.ts';
import { LendingDriver } from './lending-driver.ts';
import { pg } from './pg.ts';
import { SnapshotWatch } from './snapshot-watch.ts';
import type { Tables } from './tables.ts';
import { EmbeddedDriver } from './embedded-database.ts';
import { beginEmbedded, type EmbeddedDatabase } from './embedded-thread.ts';

/**
 * A transaction of the database with its typed tables (tables.ts). Every access runs in a transaction with a company set;
 * row-level security hides all other rows (T12), and all rows if none is set.
 */
export type Trx = Transaction<Tables>;

/** What code for accounts needs, inside or outside of a transaction. */
export type Accounts = { readonly kysely: Kysely<Tables> };

/** Retries after a deadlock. */
const DEADLOCKS = 3;
/** Time limit of a statement on a server, in ms; longer work sets its own limit in its transaction. */
const STATEMENT_MS = 30_000;

export class Database {
  readonly kysely: Kysely<Tables>;
  readonly embedded: boolean;
  /** Detects changes made by this process and, on a watched server, by others. */
  readonly activity = new Activity();
  private readonly changes = new ChangeWatcher();
  private readonly watch = new SnapshotWatch();
  private readonly executeScript: (text: string) => Promise<void>;
  /** Whether the connected user bypasses row-level security (e.g. a superuser), so that transactions switch to the app role. */
  private asRole = false;
  private readonly driver: EmbeddedDriver | undefined;
  private readonly pool: Pick<postgres.Pool, 'totalCount' | 'idleCount' | 'waitingCount'> | undefined;

  /** `by`: the driver of the embedded database, or the connections to a server. */
  constructor(
    kysely: Kysely<Tables>,
    by: EmbeddedDriver | NonNullable<Database['pool']>,
    executeScript: (text: string) => Promise<void>,
  ) {
    this.embedded = by instanceof EmbeddedDriver;
    this.driver = by instanceof EmbeddedDriver ? by : undefined;
    this.pool = by instanceof EmbeddedDriver ? undefined : by;
    this.kysely = kysely.withPlugin(this.changes);
    this.executeScript = executeScript;
  }

  /**
   * Runs work of one company in a transaction that sees and writes only rows of `company`. Keep it short and free of other I/O.
   * After a deadlock, for which the server ends one of the transactions, the work runs again.
   */
  company<T>(company: string, work: (trx: Trx) => Promise<T>): Promise<T> {
    return this.transaction((trx) => this.enter(trx, company), work);
  }

  /**
   * Runs work on user accounts, whose tables belong to no company, together with rows of one company, so that a change and its
   * entry in the security log commit together. Touch only accounts and rows that name `company`: for a database user above
   * row-level security there is no other restriction.
   */
  accounts<T>(company: string, work: (trx: Trx) => Promise<T>): Promise<T> {
    return this.transaction((trx) => this.begin(trx, company), work);
  }

  private async transaction<T>(
    enter: (trx: Trx) => Promise<unknown>,
    work: (trx: Trx) => Promise<T>,
    // Counted after the commit, when others can see the change.
    changed = () => this.activity.changed(),
  ): Promise<T> {
    const once = (made: readonly Made[]) =>
      this.kysely.transaction().execute(async (trx) => {
        const clientSignal = currentClientSignal();
        clientSignal?.throwIfAborted();
        await enter(trx);
        for (const onBegin of made) onBegin(trx);
        return clientSignal === undefined || this.embedded ? work(trx) : this.whileConnected(trx, clientSignal, work);
      });
    for (let retriesLeft = DEADLOCKS; ; retriesLeft--) {
      try {
        return await this.changes.watch(() => withMade(this, once), changed);
      } catch (error) {
        if (retriesLeft === 0 || !(error instanceof postgres.DatabaseError) || error.code !== '40P01') throw error;
      }
    }
  }

  /**
   * Cancels the transaction's statement when its client disconnects: it would run for up to 30 s and occupy one of few
   * connections. The connection may serve another transaction by then, so the right one is identified by its start time.
   */
  private async whileConnected<T>(trx: Trx, clientSignal: AbortSignal, work: (trx: Trx) => Promise<T>): Promise<T> {
    const own = await trx
      .selectNoFrom((eb) => [
        eb.fn<number>('pg_backend_pid').as('pid'),
        eb.cast<string>(eb.fn('now'), 'text').as('began'),
      ])
      .executeTakeFirstOrThrow();
    const cancel = () => {
      const ended = pg`select pg_cancel_backend(pid) from pg_stat_activity
        where pid = ${own.pid} and xact_start = ${own.began}::timestamptz`.execute(this.kysely);
      // If no connection is free for this, the statement ends by its own time limit.
      ended.catch(() => {});
    };
    clientSignal.addEventListener('abort', cancel, { once: true });
    try {
      return await work(trx);
    } finally {
      clientSignal.removeEventListener('abort', cancel);
    }
  }

  /** Runs work of the system (taking jobs, finding a token's company), which sees all companies. Never from a request's data. */
  system<T>(work: (trx: Trx) => Promise<T>): Promise<T> {
    return this.company('*', work);
  }

  /**
   * The same for changes that no loop of this process waits for: they are not counted as activity, so that a regular report does
   * not end every rest.
   */
  systemUnnoticed<T>(work: (trx: Trx) => Promise<T>): Promise<T> {
    const uncounted = () => undefined;
    return this.transaction((trx) => this.enter(trx, '*'), work, uncounted);
  }

  private enter(trx: Trx, company: string): Promise<unknown> {
    return this.begin(trx, company, this.asRole ? 'kontor_app' : undefined);
  }

  /**
   * Applies the settings of a transaction, all for this transaction only: afterwards a pooler gives the connection to another
   * client, and a pooler does not keep session settings.
   */
  private async begin(trx: Trx, company: string, role?: string): Promise<void> {
    if (this.driver !== undefined) {
      this.driver.set({ 'kontor.company': company, ...(role === undefined ? {} : { role }) });
      return;
    }
    await pg`select set_config('kontor.company', ${company}, true),
      set_config('statement_timeout', ${String(STATEMENT_MS)}, true)${
        role === undefined ? pg`` : pg`, set_config('role', ${role}, true)`
      }`.execute(trx);
  }

  /** Executes several statements at once, for migrations. */
  script(text: string): Promise<void> {
    return this.executeScript(text);
  }

  /** Determines whether the connected user must switch to the app role. Call it once after the migrations. */
  async chooseRole(): Promise<void> {
    // No builder: tables.ts does not contain PostgreSQL's own tables.
    const { rows } = await pg<{ above: boolean }>`
      select rolsuper or rolbypassrls as above from pg_roles where rolname = current_user`.execute(this.kysely);
    this.asRole = rows[0]?.above ?? false;
  }

  async ping(): Promise<void> {
    await pg`select 1`.execute(this.kysely);
  }

  /** Counts changes of other processes on a server as activity, too. */
  watchOthers(): void {
    if (!this.embedded) this.watch.start(this.kysely, () => this.activity.changed());
  }

  /** Whether `activity` counts every change: always for the embedded database, which has one process; a server if watched. */
  get detectsAllChanges(): boolean {
    return this.embedded || this.watch.running;
  }

  /** Registers metrics of a server's connections: open, in use, and work waiting for one. */
  measure(metrics: Metrics): void {
    const { pool } = this;
    if (pool === undefined) return;
    const open = () => pool.totalCount;
    metrics.reading('kontor_database_connections_open', 'Connections to the database that are open.', open);
    const used = () => pool.totalCount - pool.idleCount;
    metrics.reading('kontor_database_connections_used', 'Connections to the database that are in use.', used);
    const waiting = () => pool.waitingCount;
    metrics.reading(
      'kontor_database_connections_waiting',
      'Work that waits for a connection to the database.',
      waiting,
    );
  }

  close(): Promise<void> {
    this.watch.stop();
    return this.kysely.destroy();
  }
}

/** Opens the embedded database in `folder`; a first start copies `template`. */
export const openEmbedded = (folder: string, template?: string): Promise<Database> =>
  embeddedDatabase(beginEmbedded(folder, template));

/** Resolves with the embedded database when it is open. */
export async function embeddedDatabase(database: EmbeddedDatabase): Promise<Database> {
  await database.ready;
  const driver = new EmbeddedDriver(database);
  const kysely = kyselyOver(driver);
  // With the connection: a script must not run inside the transaction of another caller, as its company and role.
  const script = (text: string) =>
    kysely.connection().execute(async () => {
      await database.send('exec', text);
    });
  return new Database(kysely, driver, script);
}

const kyselyOver = (driver: Driver) =>
  new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new LendingDriver(driver),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });

/** Name of this program's connections on a server. */
export const PROGRAM_NAME = 'kontor';
/** Name of this process's connections: a pool has several, and other processes have their own. */
export const OWN_NAME = `${PROGRAM_NAME} ${randomIds.id()}`;

/** Opens a PostgreSQL server (>= 15). `onError` gets errors of broken connections, which otherwise end the process (F11). */
export function openServer(url: string, onError: (error: Error) => void): Database {
  postgres.types.setTypeParser(20, Number);
  postgres.types.setTypeParser(1082, (value) => value);
  postgres.types.setTypeParser(1114, (value) => value);
  const pool = new postgres.Pool({
    connectionString: url,
    application_name: OWN_NAME,
    max: 10,
    connectionTimeoutMillis: OTHERS_MS,
    // Longer than the longest rest of a loop, so that a resting program does not open connections anew.
    idleTimeoutMillis: 60_000,
    // Not a startup parameter: a pooler refuses unknown ones. Behind a pooler each transaction sets it.
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool awaits it, although its types do not say so
    onConnect: async (client) => {
      await client.query(`set statement_timeout = ${STATEMENT_MS}`);
    },
  });
  pool.on('error', onError);
  // The pool handles errors of idle connections only; one that breaks in a transaction would end the process.
  pool.on('connect', (client) => client.on('error', onError));
  const patient = {
    Client: postgres.Client,
    options: pool.options,
    connect: () => waitForConnection(() => pool.connect()),
    end: () => pool.end(),
  };
  const kysely = kyselyOver(new PostgresDriver({ pool: patient }));
  const script = async (text: string) => {
    await pool.query(text);
  };
  return new Database(kysely, pool, script);
}
