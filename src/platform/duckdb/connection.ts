import type { DuckDBValue } from '@duckdb/node-api';

/** A value bound to a statement. A list may be any object with items (`boundTexts`): the connection makes DuckDB's own of it. */
export type BoundValue = DuckDBValue | { readonly items: readonly DuckDBValue[] };

/** A statement and the values bound to its `$1`, `$2` … User text is only ever a value. `files`: paths that it reads. */
export type Statement = {
  readonly sql: string;
  readonly values: readonly BoundValue[];
  readonly files?: readonly string[];
};

/** One row of a result, column name to JavaScript value (text columns: string or null). */
export type DuckRow = Record<string, unknown>;

/** A row with each value as text; null where it is missing. */
export type TextRow = (string | null)[];

/**
 * A question answered by a function inside the DuckDB process: question and answer may be long, and the main thread only passes
 * their bytes on. `module`: URL of a module whose `answers` has `name` (tasks.ts); `question`: anything that a message between
 * processes can carry.
 */
export type Task = { readonly module: string; readonly name: string; readonly question: unknown };

/** Runs statements one at a time, in this process (instance.ts) or in a separate one (calculator-process.ts). */
export type Connection = {
  /** Whether the connection ended by itself, with its temporary tables; every further statement fails. */
  readonly isLost: boolean;
  /** Yields the rows of a statement in portions, after all have been computed. */
  computed(statement: Statement): AsyncGenerator<DuckRow[]>;
  /** Yields the rows in portions while they are computed. */
  stream(statement: Statement): AsyncGenerator<DuckRow[]>;
  streamTexts(statement: Statement): AsyncGenerator<TextRow[]>;
  /** Yields the JSON of a task's answer in portions. */
  answer(task: Task): AsyncGenerator<Uint8Array[]>;
  /** Interrupts what is running, which then fails. */
  interrupt(): void;
  close(): void;
};

/** Source of DuckDB connections. */
export type Calculator = {
  connect(): Promise<Connection>;
  close(): void;
};
