import type { RequestedPlace } from '#engine/duckdb/rule-batches.ts';
import type { WalkStep } from '#engine/analysis/rule-walk.ts';
import type { DuckDb, DuckRow } from '#platform/duckdb/duckdb.ts';
import type { Statement } from '#platform/duckdb/sql.ts';

/** Temporary tables between batches of rules, by number; each session has its own. */
export const batchTable = (index: number): string => `batch_${index}`;

/** Whoever answers statements: the calculator itself, or one connection with its tables. */
export type Asker = { all(statement: Statement, signal?: AbortSignal): Promise<DuckRow[]> };

/** The only row of a statement's answer. */
export async function rowOf(asker: Asker, statement: Statement, signal?: AbortSignal): Promise<DuckRow> {
  const [row] = await asker.all(statement, signal);
  return row ?? {};
}

/** Asks about one rule: on the calculator itself, or on a connection of its own where rules above need tables first. */
export async function atPlace<T>(
  duckdb: DuckDb,
  place: RequestedPlace,
  work: (asker: Asker) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  if (place.statements.length === 0) return work(duckdb);
  const session = await duckdb.session();
  try {
    for (const statement of place.statements) await session.all(statement, signal);
    return await work(session);
  } finally {
    session.close();
  }
}

/** Answers to questions about all rules, a batch after the other. */
export async function walked<T>(duckdb: DuckDb, steps: readonly WalkStep<T>[], signal?: AbortSignal): Promise<T[]> {
  const session = await duckdb.session();
  try {
    const answers: T[] = [];
    for (const { statement, read } of steps) {
      const row = await rowOf(session, statement, signal);
      if (read) answers.push(read(row));
    }
    return answers;
  } finally {
    session.close();
  }
}
