import type { Readable } from 'node:stream';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import type { answers } from './answers.ts';
import { filesOfState, stateLocally } from './rule-state.ts';

const module = new URL('./answers.ts', import.meta.url).href;

/** Computes an answer about rules in the DuckDB process, as JSON: a long list compiles for 70 ms, a page may have megabytes. */
export const ruleAnswer = <Name extends keyof typeof answers>(
  duckdb: DuckDb,
  name: Name,
  question: Parameters<(typeof answers)[Name]>[1],
  signal: AbortSignal,
): Promise<Readable> =>
  duckdb.answer(
    filesOfState(question.state),
    (localOf) => ({ module, name, question: { ...question, state: stateLocally(question.state, localOf) } }),
    signal,
  );
