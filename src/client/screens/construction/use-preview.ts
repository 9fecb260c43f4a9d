import { useEffect, useMemo, useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { AnswerOf } from '#shared/http/call.ts';
import type { ConstructionRow } from '#shared/construction/schema.ts';
import { call } from '#client/call.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import { seenValues } from '#client/screens/construction/values/seen-values.ts';

type Answer = AnswerOf<typeof api.previewExport>;

const limit = 10;
const pause = 500;

/**
 * Loads the first items as the rows in the form would write them, a moment after the last
 * change; a newer request aborts the older one.
 */
export function usePreview(id: string, rows: readonly ConstructionRow[], enabled: boolean) {
  const [shown, setShown] = useState<{ answer: Answer; rows: readonly ConstructionRow[] } | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [busy, setBusy] = useState(enabled);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (!enabled) return;
    const stop = new AbortController();
    const load = async () => {
      setBusy(true);
      try {
        const body = { rows: [...rows], limit };
        setShown({ answer: await call(api.previewExport, { params: { id }, body, signal: stop.signal }), rows });
        setFailure(null);
      } catch (error) {
        if (!stop.signal.aborted) setFailure(failureOf('Fehler beim Laden', error));
      } finally {
        if (!stop.signal.aborted) setBusy(false);
      }
    };
    const timer = setTimeout(() => void load(), pause);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [id, rows, attempt, enabled]);
  const seen = useMemo(
    () => (shown === null || failure !== null ? new Map<string, never>() : seenValues(shown.rows, shown.answer)),
    [shown, failure],
  );
  return { enabled, answer: shown?.answer ?? null, seen, failure, busy, again: () => setAttempt((now) => now + 1) };
}
export type PreviewState = ReturnType<typeof usePreview>;
