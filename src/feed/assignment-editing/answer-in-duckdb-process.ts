import type { Readable } from 'node:stream';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { filesOf, placedLocally } from '#feed/plan/places.ts';
import type { answers } from './answers.ts';

const module = new URL('./answers.ts', import.meta.url).href;

/** Computes an answer in the DuckDB process and returns it as JSON; request and answer are parsed and serialized there, too. */
export const answerInDuckDbProcess = <Name extends keyof typeof answers>(
  duckdb: DuckDb,
  name: Name,
  question: Parameters<(typeof answers)[Name]>[1],
  signal: AbortSignal,
): Promise<Readable> =>
  duckdb.answer(
    filesOf(question.places),
    (localOf) => ({ module, name, question: { ...question, places: placedLocally(question.places, localOf) } }),
    signal,
  );
