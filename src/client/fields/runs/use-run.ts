import { useEffect, useEffectEvent, useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { Run } from '#shared/runs/schema.ts';
import { call } from '#client/call.ts';
import { logFailure } from '#client/failure.ts';
import { isUnderWay, replacesShown } from './run-words.ts';

const every = 500;
/** Milliseconds: longest wait between polls after lost answers. */
const slowAfterMs = 8000;

type Follow = {
  run: Run | null;
  lost: boolean;
  /** Resolves to what `onEnd` returns if the run has ended. */
  follow: (run: Run) => unknown;
};

/**
 * Follows a run until it ends, then calls `onEnd` once. `lost` is true while the server does not answer: the run may well
 * continue. A newer run that the page loads, started by a schedule or another user, replaces it.
 */
export function useRun(loaded: Run | null, onEnd: () => unknown): Follow {
  const [run, setRun] = useState(loaded);
  if (replacesShown(loaded, run)) setRun(loaded);
  const [lost, setLost] = useState(false);
  const ended = useEffectEvent(onEnd);
  const runid = run !== null && isUnderWay(run) ? run.runid : null;

  useEffect(() => {
    if (runid === null) return;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    let wait = every;
    const ask = async () => {
      try {
        const next = await call(api.run, { params: { runid }, signal: stop.signal });
        wait = every;
        setLost(false);
        setRun(next);
        if (!isUnderWay(next)) {
          ended();
          return;
        }
      } catch (error) {
        if (stop.signal.aborted) return;
        logFailure('Fehler beim Laden', error);
        wait = Math.min(slowAfterMs, wait * 2);
        setLost(true);
      }
      timer = setTimeout(() => void ask(), wait);
    };
    timer = setTimeout(() => void ask(), every);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [runid]);

  const follow = (next: Run) => {
    setRun(next);
    // A cancelled run has already ended: nothing asks about it any more.
    return isUnderWay(next) ? undefined : onEnd();
  };
  return { run, lost, follow };
}

/** Makes a run of which only the number is known, as the server lists it before it starts. */
export function queuedRun(runid: string, kind: Run['kind'], owner: string): Run {
  return {
    runid,
    kind,
    owner,
    state: 'queued',
    discarded: false,
    progress: { done: 0, total: 0, phase: '' },
    rowsIn: null,
    accepted: null,
    rejected: null,
    duplicates: null,
    snapshot: null,
    difference: null,
    message: null,
    deviation: [],
    warnings: [],
    detected: null,
    source: null,
    startedBy: null,
    retryable: false,
    createdAt: '',
    startedAt: null,
    finishedAt: null,
  };
}
