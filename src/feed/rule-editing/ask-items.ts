import type { RequestedPlace } from '#engine/duckdb/rule-batches.ts';
import type { WalkStep } from '#engine/analysis/rule-walk.ts';
import type { DuckDb, DuckRow } from '#platform/duckdb/duckdb.ts';
import type { Statement } from '#platform/duckdb/sql.ts';

/** Names of temporary tables between batches of rules, by number; each session has its own tables. */
export const batchTable = (index: number): string => `batch_${index}`;

/** Runs statements: DuckDB itself, or one connection with its temporary tables. */
export type StatementRunner = { all(statement: Statement, signal?: AbortSignal): Promise<DuckRow[]> };

/** Returns the only row of a statement's result. */
export async function rowOf(runner: StatementRunner, statement: Statement, signal?: AbortSignal): Promise<DuckRow> {
  const [row] = await runner.all(statement, signal);
  return row ?? {};
}

/** Runs a query about one rule: directly on DuckDB, or on a connection of its own if rules above need temporary tables first. */
export async function atPlace<T>(
  duckdb: DuckDb,
  place: RequestedPlace,
  work: (asker: StatementRunner) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  if (place.statements.length === 0) return work(duckdb);
  return duckdb.inSession(async (session) => {
    for (const statement of place.statements) await session.all(statement, signal);
    return await work(session);
  }, signal);
}

/** Runs the steps of a query about all rules, one batch after the other, and returns their results. */
export async function runSteps<T>(duckdb: DuckDb, steps: readonly WalkStep<T>[], signal?: AbortSignal): Promise<T[]> {
  return duckdb.inSession(async (session) => {
    const answers: T[] = [];
    for (const { statement, read } of steps) {
      const row = await rowOf(session, statement, signal);
      if (read) answers.push(read(row));
    }
    return answers;
  }, signal);
}
