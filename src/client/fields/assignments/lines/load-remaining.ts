import { useMemo, useState } from 'react';
import type { Failure } from '#client/failure.ts';
import { useLive } from '#client/use-live.ts';

/** Rows that come along with a page; of a longer list the others follow, so that the first ones stand at once. */
export const firstRows = 100;

/** All rows of a list of which only the first came along; null until they are there. */
export type Rest<L> = { all: readonly L[] | null; failure: Failure | null; retry: () => void };

/** Asks for all rows where the page brought only the first. */
export function useRemaining<L>(
  loaded: { rows: readonly L[]; total: number },
  ask: (signal: AbortSignal) => Promise<readonly L[]>,
): Rest<L> {
  const [enabled] = useState(loaded.rows.length < loaded.total);
  const question = useMemo(() => ({}), []);
  const { answer, failure, retry } = useLive(question, ask, { delay: 0, enabled });
  return { all: answer, failure, retry };
}
