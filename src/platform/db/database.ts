import { cpSync, existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import {
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  type Transaction,
} from 'kysely';
import postgres from 'pg';
import { randomIds } from '#platform/ids.ts';
import type { Metrics } from '#platform/telemetry/metrics.ts';
import { Activity } from './activity.ts';
import { askerSignal } from './asker.ts';
import { ChangeWatcher } from './change-watcher.ts';
import { type Made, withMade } from './make-first.ts';
import { OTHERS_MS, waitForConnection } from './patience.ts';
import { pg } from './pg.ts';
import type { Tables } from './tables.ts';
import { EmbeddedDatabase, EmbeddedDriver } from './embedded-database.ts';

/**
 * The database, its tables by name and type (tables.ts). Every access runs in a transaction that carries its company;
 * row-level security shows nothing else (T12), nor anything without one.
 */
export type Trx = Transaction<Tables>;

/** What works on accounts needs, within a transaction or without. */
export type Accounts = { readonly kysely: Kysely<Tables> };

/** How often work is repeated after a deadlock. */
const DEADLOCKS = 3;
/** How long a statement may take on a server; what needs longer says so in its transaction. */
const STATEMENT_MS = 30_000;
/** How often it is looked whether other processes changed anything. */
const WATCH_MS = 1000;

export class Database {
  readonly kysely: Kysely<Tables>;
  readonly embedded: boolean;
  /** Whether anything changes: through this process, and on a server that is watched through others. */
  readonly activity = new Activity();
  private readonly changes = new ChangeWatcher();
  private readonly executeScript: (text: string) => Promise<void>;
  /** Set when the connected user would not be bound by row-level security (superusers are not). */
  private asRole = false;
  private watch: ReturnType<typeof setInterval> | undefined;
  private readonly pool: Pick<postgres.Pool, 'totalCount' | 'idleCount' | 'waitingCount'> | undefined;

  /** `pool`: its connections, on a server. */
  constructor(
    kysely: Kysely<Tables>,
    embedded: boolean,
    executeScript: (text: string) => Promise<void>,
    pool?: Database['pool'],
  ) {
    this.pool = pool;
    this.kysely = kysely.withPlugin(this.changes);
    this.embedded = embedded;
    this.executeScript = executeScript;
  }

  /**
   * Work of one company: sees and writes only rows of `company`. Keep it short and free of other I/O. When two wait for each other
   * (a deadlock), the server ends one of them, and its work is done once more.
   */
  company<T>(company: string, work: (trx: Trx) => Promise<T>): Promise<T> {
    return this.transaction((trx) => this.enter(trx, company), work);
  }

  /**
   * Work on the accounts of people, whose tables belong to no company, together with rows of one: what it was is written into its security
   * log, or is not done. Nothing but accounts and rows that name `company`: for a user of the database above row-level security nothing else holds.
   */
  accounts<T>(company: string, work: (trx: Trx) => Promise<T>): Promise<T> {
    return this.transaction((trx) => this.begin(trx, company), work);
  }

  private async transaction<T>(enter: (trx: Trx) => Promise<unknown>, work: (trx: Trx) => Promise<T>): Promise<T> {
    const once = (made: readonly Made[]) =>
      this.kysely.transaction().execute(async (trx) => {
        const asker = askerSignal();
        asker?.throwIfAborted();
        await enter(trx);
        for (const tell of made) tell(trx);
        return asker === undefined || this.embedded ? work(trx) : this.untilGone(trx, asker, work);
      });
    // Told of when others see it.
    const changed = () => this.activity.changed();
    for (let retriesLeft = DEADLOCKS; ; retriesLeft--) {
      try {
        return await this.changes.watch(() => withMade(this, once), changed);
      } catch (error) {
        if (retriesLeft === 0 || !(error instanceof postgres.DatabaseError) || error.code !== '40P01') throw error;
      }
    }
  }

  /**
   * Ends the transaction's statement when its asker goes: it would go on for up to 30 s and hold one of few connections. The connection may
   * serve another transaction by then, so the one that is meant is told by its start.
   */
  private async untilGone<T>(trx: Trx, asker: AbortSignal, work: (trx: Trx) => Promise<T>): Promise<T> {
    const own = await trx
      .selectNoFrom((eb) => [
        eb.fn<number>('pg_backend_pid').as('pid'),
        eb.cast<string>(eb.fn('now'), 'text').as('began'),
      ])
      .executeTakeFirstOrThrow();
    const cancel = () => {
      const ended = pg`select pg_cancel_backend(pid) from pg_stat_activity
        where pid = ${own.pid} and xact_start = ${own.began}::timestamptz`.execute(this.kysely);
      // Without a connection for it the statement ends by its own limit.
      ended.catch(() => {});
    };
    asker.addEventListener('abort', cancel, { once: true });
    try {
      return await work(trx);
    } finally {
      asker.removeEventListener('abort', cancel);
    }
  }

  /** Work of the system itself (taking jobs, finding a token's company): sees all companies. Never from a request's data. */
  system<T>(work: (trx: Trx) => Promise<T>): Promise<T> {
    return this.company('*', work);
  }

  private enter(trx: Trx, company: string): Promise<unknown> {
    return this.begin(trx, company, this.asRole ? pg`, set_config('role', 'kontor_app', true)` : pg``);
  }

  /**
   * What a transaction begins with. All of it is set for the transaction alone: a pooler gives the connection to somebody else after it,
   * and knows nothing of what was set for a session.
   */
  private begin(trx: Trx, company: string, more: RawBuilder<unknown> = pg``): Promise<unknown> {
    const limit = this.embedded ? pg`` : pg`, set_config('statement_timeout', ${String(STATEMENT_MS)}, true)`;
    return pg`select set_config('kontor.company', ${company}, true)${limit}${more}`.execute(trx);
  }

  /** Several statements at once, for migrations. */
  script(text: string): Promise<void> {
    return this.executeScript(text);
  }

  /** To be called once after the migrations: finds out whether the connected user must step down to the app role. */
  async chooseRole(): Promise<void> {
    // The tables of PostgreSQL itself are left out.
    const { rows } = await pg<{ above: boolean }>`
      select rolsuper or rolbypassrls as above from pg_roles where rolname = current_user`.execute(this.kysely);
    this.asRole = rows[0]?.above ?? false;
  }

  async ping(): Promise<void> {
    await pg`select 1`.execute(this.kysely);
  }

  /**
   * Notices what other processes change on a server, with one statement a second: PostgreSQL's snapshot stays the same while no
   * transaction writes. Where it cannot be read, something may have changed.
   */
  watchOthers(): void {
    if (this.embedded) return;
    let known: string | undefined;
    let asking = false;
    const look = async () => {
      if (asking) return;
      asking = true;
      const now = await this.kysely
        .selectNoFrom((eb) => eb.cast<string>(eb.fn('pg_current_snapshot'), 'text').as('snapshot'))
        .executeTakeFirst()
        .then((row) => row?.snapshot)
        .catch(() => undefined);
      if (now === undefined || now !== known) this.activity.changed();
      known = now;
      asking = false;
    };
    this.watch ??= setInterval(() => void look(), WATCH_MS).unref();
  }

  /** Whether `activity` counts every change: the embedded database belongs to this process, a server has to be watched. */
  get hearsOfChanges(): boolean {
    return this.embedded || this.watch !== undefined;
  }

  /** On a server: how many connections are open and in use, and how much waits for one. */
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
    clearInterval(this.watch);
    return this.kysely.destroy();
  }
}

/**
 * Opens the embedded database in `folder`. The first start copies `template` (a folder made by an earlier one) if it
 * is there: creating a cluster anew takes two to four seconds.
 */
export async function openEmbedded(folder: string, template?: string): Promise<Database> {
  if (!existsSync(folder) && template !== undefined && existsSync(template)) {
    await rm(`${folder}.tmp`, { recursive: true, force: true });
    // Node copies a folder in one native call only in this form; the other takes five times the processor.
    cpSync(template, `${folder}.tmp`, { recursive: true });
    await rename(`${folder}.tmp`, folder);
  }
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const database = new EmbeddedDatabase(folder);
  await database.ready;
  const kysely = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new EmbeddedDriver(database),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  return new Database(kysely, true, async (text) => {
    await database.send('exec', text);
  });
}

/** What the connections of this program are called on a server. */
export const PROGRAM_NAME = 'kontor';
/** What this process calls its connections: a pool has several, and they are not those of others. */
export const OWN_NAME = `${PROGRAM_NAME} ${randomIds.id()}`;

/** Opens a PostgreSQL server (>= 15). `onError` is called for connections that die; without it they would end the process (F11). */
export function openServer(url: string, onError: (error: Error) => void): Database {
  postgres.types.setTypeParser(20, Number);
  postgres.types.setTypeParser(1082, (value) => value);
  postgres.types.setTypeParser(1114, (value) => value);
  const pool = new postgres.Pool({
    connectionString: url,
    application_name: OWN_NAME,
    max: 10,
    connectionTimeoutMillis: OTHERS_MS,
    // No parameter of the start: a pooler refuses those that it does not know. What a pooler shares out has it by transaction.
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it, which its types do not say
    onConnect: async (client) => {
      await client.query(`set statement_timeout = ${STATEMENT_MS}`);
    },
  });
  pool.on('error', onError);
  // The pool listens only to idle connections; one that breaks in a transaction would end the process.
  pool.on('connect', (client) => client.on('error', onError));
  const patient = {
    Client: postgres.Client,
    options: pool.options,
    connect: () => waitForConnection(() => pool.connect()),
    end: () => pool.end(),
  };
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: patient }) });
  const script = async (text: string) => {
    await pool.query(text);
  };
  return new Database(kysely, false, script, pool);
}
