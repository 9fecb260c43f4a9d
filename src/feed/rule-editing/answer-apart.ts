import type { Readable } from 'node:stream';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import type { answers } from './answers.ts';
import { filesOfState, stateLocally } from './rule-state.ts';

const module = new URL('./answers.ts', import.meta.url).href;

/** The JSON of an answer about rules: a list near the limits is compiled for 70 ms, and a page of items may be megabytes. */
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
