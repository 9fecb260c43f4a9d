import { useEffect, useEffectEvent, useState } from 'react';
import { CallError } from '#client/call.ts';
import type { Line } from './lines.ts';
import type { Rest } from './load-remaining.ts';

/**
 * Adds the rows that the page lacked by calling `add` when they arrive. Not null as long as some are
 * missing: an incomplete list cannot be saved.
 */
export function useMissing<L extends Line>(
  { rows, total }: { rows: readonly L[]; total: number },
  { all, failure, retry }: Rest<L>,
  add: (more: readonly L[]) => void,
) {
  const [first] = useState(rows);
  const [missing, setMissing] = useState(total - rows.length);
  const complete = useEffectEvent((every: readonly L[]) => {
    if (missing <= 0) return;
    const presentIds = new Set(first.map(({ id }) => id));
    add(every.filter(({ id }) => !presentIds.has(id)));
    setMissing(0);
  });
  useEffect(() => {
    if (all !== null) complete(all);
  }, [all]);
  return missing > 0 ? { missing, failure, retry } : null;
}

/** The error for saving an incomplete list. */
export const incomplete = () =>
  new CallError(0, {
    code: 'incomplete',
    message: 'Die Liste wird noch geladen, und ohne ihre übrigen Zeilen lässt sie sich nicht speichern.',
    requestId: '',
  });
