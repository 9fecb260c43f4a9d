import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** Settings by name, for one transaction. */
export type Settings = Readonly<Record<string, string>>;
/** A statement for the thread (pglite-worker.ts); the transaction that begins before it, if any, gets these settings. */
export type Sent = {
  readonly id: number;
  readonly kind: 'query' | 'exec' | 'close';
  readonly sql: string;
  readonly params: readonly unknown[];
  readonly begins: Settings | undefined;
};

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

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/** PGlite does not say why it cannot open a folder: it reports a missing file, a damaged one and a full disk alike. */
const unopened = (folder: string, cause?: unknown) =>
  new Error(
    `Die Datenbank in ${folder} lässt sich nicht öffnen. Vielleicht ist der Datenträger voll, oder Dateien des Ordners fehlen oder sind beschädigt. ` +
      'Bitte schaffen Sie Platz und starten Sie noch einmal. Hilft das nicht, stellen Sie die letzte Sicherung in einem neuen Ordner wieder her ' +
      '(docs/operations.md, „Restore“): npm run restore -- SICHERUNG --into ORDNER. Dann starten Sie mit KONTOR_DATA=ORDNER.',
    { cause },
  );

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
    // It may fail before anybody waits for it.
    this.ready.catch(() => {});
    this.worker.on('message', (answer: Answer) => {
      const waiter = this.waiting.get(answer.id);
      this.waiting.delete(answer.id);
      if (answer.error)
        waiter?.reject(new DatabaseError(answer.error.message, answer.error.code, answer.error.constraint));
      else waiter?.resolve(answer);
    });
    this.worker.on('error', (error) => this.fail(this.waiting.has(0) ? unopened(folder, error) : asError(error)));
    this.worker.on('exit', () => this.fail(new Error('the embedded database has ended')));
  }

  private fail(error: Error): void {
    this.dead ??= error;
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }

  /**
   * Sends a statement to the worker. `begins`: a transaction with these settings begins before it.
   * @throws if a parameter cannot be sent; then nothing was sent
   */
  send(
    kind: Sent['kind'],
    sql: string,
    { params = [], begins }: { params?: readonly unknown[]; begins?: Settings | undefined } = {},
  ): Promise<Answer> {
    if (this.dead) return Promise.reject(this.dead);
    const id = ++this.last;
    const sent: Sent = { id, kind, sql, params, begins };
    this.worker.postMessage(sent);
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }
}

/** The database of the settings: a server, or the embedded one that is being opened. */
export type Opening = { readonly url: string } | EmbeddedDatabase;

/** Begins to open the database of the settings; `template` makes a first start faster. */
export const beginOpening = (
  { databaseUrl, databaseFolder }: { databaseUrl: string | undefined; databaseFolder: string },
  template?: string,
): Opening => (databaseUrl === undefined ? beginEmbedded(databaseFolder, template) : { url: databaseUrl });

/**
 * Begins to open the embedded database in `folder`. The first start copies `template` (a folder made by an earlier start) if it
 * exists: creating a new cluster takes two to four seconds.
 * @throws a German sentence if the folder contains parts of a database
 */
export function beginEmbedded(folder: string, template?: string): EmbeddedDatabase {
  if (!existsSync(folder) && template !== undefined && existsSync(template)) {
    rmSync(`${folder}.tmp`, { recursive: true, force: true });
    // Only this form of Node copies a folder in one native call; the asynchronous one takes five times the processor time.
    cpSync(template, `${folder}.tmp`, { recursive: true });
    renameSync(`${folder}.tmp`, folder);
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Without PG_VERSION PGlite takes the folder for empty and creates a new database over the other files. An interrupted creation
  // has not written postgresql.conf yet, and is begun again.
  if (!existsSync(join(folder, 'PG_VERSION')) && existsSync(join(folder, 'postgresql.conf'))) throw unopened(folder);
  return new EmbeddedDatabase(folder);
}
