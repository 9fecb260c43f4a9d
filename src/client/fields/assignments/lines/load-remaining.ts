import { useMemo, useState } from 'react';
import type { Failure } from '#client/failure.ts';
import { useLive } from '#client/use-live.ts';

/** Rows that a page's first response contains; the others are loaded afterwards, so that the page appears sooner. */
export const firstRows = 100;

/** All rows of a list of which the page has only the first; null until they are loaded. */
export type Rest<L> = { all: readonly L[] | null; failure: Failure | null; retry: () => void };

/** Loads all rows if the page has only the first. */
export function useRemaining<L>(
  loaded: { rows: readonly L[]; total: number },
  ask: (signal: AbortSignal) => Promise<readonly L[]>,
): Rest<L> {
  const [enabled] = useState(loaded.rows.length < loaded.total);
  const question = useMemo(() => ({}), []);
  const { answer, failure, retry } = useLive(question, ask, { delay: 0, enabled });
  return { all: answer, failure, retry };
}
