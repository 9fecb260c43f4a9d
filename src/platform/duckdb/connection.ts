import type { DuckDBValue } from '@duckdb/node-api';

/** A statement and the values bound to its `$1`, `$2` … marks. User text travels only as a value. `files`: paths that it reads. */
export type Statement = {
  readonly sql: string;
  readonly values: readonly DuckDBValue[];
  readonly files?: readonly string[];
};

/** One row of a result, column name to JavaScript value (text columns: string or null). */
export type DuckRow = Record<string, unknown>;

/** Each value as text; null where it is missing. */
export type TextRow = (string | null)[];

/**
 * A question that is answered where it is computed: what it says may be long, and so may its answer, and neither costs the program's own
 * thread more than passing bytes. `module`: the address of one whose `answers` has `name` (tasks.ts); `question`: what a message between
 * processes can carry.
 */
export type Task = { readonly module: string; readonly name: string; readonly question: unknown };

/** What statements run on, one at a time: DuckDB in this process (instance.ts), or in one of its own (calculator-process.ts). */
export type Connection = {
  /** It ended by itself, with its temporary tables; every further statement fails. */
  readonly isLost: boolean;
  /** The rows of a statement some at a time, when all have been computed. */
  computed(statement: Statement): AsyncGenerator<DuckRow[]>;
  /** The rows some at a time as they are computed. */
  stream(statement: Statement): AsyncGenerator<DuckRow[]>;
  streamTexts(statement: Statement): AsyncGenerator<TextRow[]>;
  /** The JSON of a task's answer, some of it at a time. */
  answer(task: Task): AsyncGenerator<Uint8Array[]>;
  /** Ends what runs, which then fails. */
  interrupt(): void;
  close(): void;
};

/** Where connections come from. */
export type Calculator = {
  connect(): Promise<Connection>;
  close(): void;
};
