import { Readable } from 'node:stream';
import { LostCalculation } from './calculator-process.ts';
import type { Calculator, Connection, DuckRow, Statement, Task, TextRow } from './connection.ts';
import { DuckInstance, type DuckOptions } from './instance.ts';
import { withFiles } from './sql.ts';

export type { DuckRow, Statement } from './connection.ts';

/** Sees to it that files are on this machine while a statement reads them; undefined: they always are. */
export type HoldFiles = (
  paths: readonly string[],
) => Promise<{ localOf: (path: string) => string; release: () => void }>;

/** The calculator: it stores nothing; every table it sees is a Parquet file or lives as long as a connection. */
export class DuckDb {
  private readonly calculator: Calculator;
  private readonly hold: HoldFiles | undefined;
  constructor(calculator: Calculator, hold?: HoldFiles) {
    this.calculator = calculator;
    this.hold = hold;
  }

  /** In this process. @throws where the settings are wrong */
  static async open(options: DuckOptions, hold?: HoldFiles): Promise<DuckDb> {
    const instance = new DuckInstance(options);
    await instance.check();
    return new DuckDb(instance, hold);
  }

  /** A connection for statements that need each other's temporary tables, which go with it; whoever opens it closes it. */
  async session(): Promise<DuckDbSession> {
    return new DuckDbSession(await this.calculator.connect(), this.hold);
  }

  /** All rows of one statement. `signal` interrupts the query; the error then is the signal's reason. */
  all(statement: Statement, signal?: AbortSignal): Promise<DuckRow[]> {
    return this.last([statement], signal);
  }

  /** The rows of the last of several statements, which run on one connection: on a new one, where that got lost through others. */
  async last(statements: readonly Statement[], signal?: AbortSignal): Promise<DuckRow[]> {
    signal?.throwIfAborted();
    try {
      return await this.inTurn(statements, signal);
    } catch (error) {
      if (!(error instanceof LostCalculation)) throw error;
      signal?.throwIfAborted();
      return this.inTurn(statements, signal);
    }
  }

  /**
   * The JSON of a task's answer, which is computed when this resolves. On a new connection, where that got lost through others.
   * `files`: paths that the task reads; it is made with where these lie on this machine.
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
      // Also where nobody began to read.
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

  private async inTurn(statements: readonly Statement[], signal: AbortSignal | undefined): Promise<DuckRow[]> {
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
    this.calculator.close();
  }
}

async function* bytesOf(first: IteratorResult<Uint8Array[]>, rest: AsyncGenerator<Uint8Array[]>) {
  if (first.done !== true) yield* first.value;
  for await (const portion of rest) yield* portion;
}

/** One connection. Statements asked at the same time run one after the other. */
export class DuckDbSession {
  private readonly connection: Connection;
  private readonly hold: HoldFiles | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private closed = false;
  constructor(connection: Connection, hold?: HoldFiles) {
    this.connection = connection;
    this.hold = hold;
  }

  /** Its tables are gone, and every further statement fails. */
  get isLost(): boolean {
    return this.connection.isLost;
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
  stream(statement: Statement, signal?: AbortSignal): AsyncGenerator<DuckRow[]> {
    return this.interruptible(statement, signal, (placed) => this.connection.stream(placed));
  }

  /** The same, each row as a list of texts. */
  streamTexts(statement: Statement, signal?: AbortSignal): AsyncGenerator<TextRow[]> {
    return this.interruptible(statement, signal, (placed) => this.connection.streamTexts(placed));
  }

  private async *interruptible<T>(
    statement: Statement,
    signal: AbortSignal | undefined,
    work: (placed: Statement) => AsyncGenerator<T>,
  ): AsyncGenerator<T> {
    signal?.throwIfAborted();
    // DuckDB opens files by their path as the statement begins, and again while it runs.
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

  /** Interrupts what runs and drops the temporary tables; statements that wait fail. */
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
