import { Readable } from 'node:stream';
import { LostCalculation } from './calculator-process.ts';
import type { Calculator, Connection, DuckRow, Statement, Task, TextRow } from './connection.ts';
import { DuckInstance, type DuckOptions } from './instance.ts';
import { withFiles } from './sql.ts';

export type { DuckRow, Statement } from './connection.ts';

/** Keeps files on this machine while a statement reads them; undefined: they always are. */
export type HoldFiles = (
  paths: readonly string[],
) => Promise<{ localOf: (path: string) => string; release: () => void }>;

/** Runs DuckDB statements. It stores nothing: every table is a Parquet file, or lives as long as its connection. */
export class DuckDb {
  private readonly calculator: Calculator;
  private readonly hold: HoldFiles | undefined;
  constructor(calculator: Calculator, hold?: HoldFiles) {
    this.calculator = calculator;
    this.hold = hold;
  }

  /** Opens DuckDB in this process at once. @throws if the settings are wrong */
  static async open(options: DuckOptions, hold?: HoldFiles): Promise<DuckDb> {
    const instance = new DuckInstance(options);
    await instance.check();
    return new DuckDb(instance, hold);
  }

  /**
   * Opens a connection for statements that share temporary tables, which are dropped with it. The caller must close it. Only for
   * streams and tables that are kept: the connection may be lost because of others, and then `inSession` repeats the work.
   */
  async session(): Promise<DuckDbSession> {
    return new DuckDbSession(await this.calculator.connect(), this.hold);
  }

  /** Returns all rows of one statement. When `signal` aborts, interrupts it and rejects with the signal's reason. */
  all(statement: Statement, signal?: AbortSignal): Promise<DuckRow[]> {
    return this.last([statement], signal);
  }

  /** Runs statements on one connection and returns the last one's rows; runs all again on a new one if the connection is lost. */
  last(statements: readonly Statement[], signal?: AbortSignal): Promise<DuckRow[]> {
    return this.inSession(async (session) => {
      let rows: DuckRow[] = [];
      for (const statement of statements) rows = await session.all(statement, signal);
      return rows;
    }, signal);
  }

  /**
   * Runs `work` with a session of its own, which is closed afterwards; runs all of it once more with a new session if the
   * connection is lost. So `work` must not change anything that a second run would change again.
   */
  async inSession<T>(work: (session: DuckDbSession) => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    try {
      return await this.inOneSession(work);
    } catch (error) {
      if (!(error instanceof LostCalculation)) throw error;
      signal?.throwIfAborted();
      return this.inOneSession(work);
    }
  }

  /**
   * Returns the JSON of a task's answer; the answer is computed when this resolves. If the connection is lost because of others,
   * the task runs once more on a new one. `files`: paths that the task reads; it is created with their local paths.
   * @throws KontorError as the task's answer does
   */
  async answer(
    files: readonly string[],
    taskOf: (localOf: (path: string) => string) => Task,
    signal: AbortSignal,
  ): Promise<Readable> {
    signal.throwIfAborted();
    const held = await this.hold?.(files);
    const task = taskOf(held?.localOf ?? ((path) => path));
    const release = () => held?.release();
    try {
      return await this.answered(task, signal, release).catch((error: unknown) => {
        signal.throwIfAborted();
        if (!(error instanceof LostCalculation)) throw error;
        return this.answered(task, signal, release);
      });
    } catch (error) {
      release();
      throw error;
    }
  }

  private async answered(task: Task, signal: AbortSignal, release: () => void): Promise<Readable> {
    signal.throwIfAborted();
    const connection = await this.calculator.connect();
    const portions = connection.answer(task);
    const stop = () => connection.interrupt();
    const leave = () => {
      signal.removeEventListener('abort', stop);
      // Needed also if the stream was never read.
      portions.return(undefined).catch(() => {});
      connection.close();
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      const first = await portions.next();
      const stream = Readable.from(bytesOf(first, portions), { objectMode: false });
      stream.once('close', leave);
      stream.once('close', release);
      return stream;
    } catch (error) {
      leave();
      throw error;
    }
  }

  private async inOneSession<T>(work: (session: DuckDbSession) => Promise<T>): Promise<T> {
    const session = await this.session();
    try {
      return await work(session);
    } finally {
      session.close();
    }
  }

  close(): void {
    this.calculator.close();
  }
}

async function* bytesOf(first: IteratorResult<Uint8Array[]>, rest: AsyncGenerator<Uint8Array[]>) {
  if (first.done !== true) yield* first.value;
  for await (const portion of rest) yield* portion;
}

/** A session on one connection. Statements started in parallel run one after the other. */
export class DuckDbSession {
  private readonly connection: Connection;
  private readonly hold: HoldFiles | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private closed = false;
  constructor(connection: Connection, hold?: HoldFiles) {
    this.connection = connection;
    this.hold = hold;
  }

  /** Whether the connection is lost: its tables are gone, and every further statement fails. */
  get isLost(): boolean {
    return this.connection.isLost;
  }

  /** Returns all rows of one statement; `signal` interrupts it or removes it from the queue, without affecting others. */
  all(statement: Statement, signal?: AbortSignal): Promise<DuckRow[]> {
    const answer = this.last.then(() => this.run(statement, signal));
    this.last = answer.catch(() => {});
    return answer;
  }

  /**
   * Yields the rows of one statement in portions as they are computed; run nothing else on this connection meanwhile. `signal`
   * also interrupts the statement before its first rows, when the reader cannot end the iteration yet.
   */
  stream(statement: Statement, signal?: AbortSignal): AsyncGenerator<DuckRow[]> {
    return this.interruptible(statement, signal, (placed) => this.connection.stream(placed));
  }

  /** Works like `stream`, with each row as a list of texts. */
  streamTexts(statement: Statement, signal?: AbortSignal): AsyncGenerator<TextRow[]> {
    return this.interruptible(statement, signal, (placed) => this.connection.streamTexts(placed));
  }

  private async *interruptible<T>(
    statement: Statement,
    signal: AbortSignal | undefined,
    work: (placed: Statement) => AsyncGenerator<T>,
  ): AsyncGenerator<T> {
    signal?.throwIfAborted();
    // DuckDB opens files by their path when the statement begins, and again while it runs.
    const held = this.hold && statement.files ? await this.hold(statement.files) : undefined;
    const stop = () => this.connection.interrupt();
    signal?.addEventListener('abort', stop, { once: true });
    try {
      signal?.throwIfAborted();
      yield* work(held ? withFiles(statement, held.localOf) : statement);
    } finally {
      signal?.removeEventListener('abort', stop);
      held?.release();
    }
  }

  private async run(statement: Statement, signal: AbortSignal | undefined): Promise<DuckRow[]> {
    signal?.throwIfAborted();
    if (this.closed) throw new Error('The session is closed');
    try {
      const rows: DuckRow[] = [];
      for await (const some of this.interruptible(statement, signal, (placed) => this.connection.computed(placed))) {
        signal?.throwIfAborted();
        for (const row of some) rows.push(row);
      }
      return rows;
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  }

  /** Interrupts the running statement and drops the temporary tables; queued statements fail. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.connection.interrupt();
    void this.leave();
  }

  private async leave(): Promise<void> {
    await this.last;
    this.connection.close();
  }
}
