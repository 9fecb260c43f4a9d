import { useEffect, useRef, useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { FirstSteps } from '#shared/masters/first-steps.ts';
import { call } from '#client/call.ts';

/** Milliseconds between polls for steps done by a run or in another window. */
const everyMs = 3000;

/**
 * Progress of the company's first steps: polled while `watched`, and requested at every new screen. A failed poll
 * changes nothing. The first screen has it in its loader data: requesting it at once as well would load the
 * schemas of all calls before they are needed.
 */
export function useFirstSteps(first: FirstSteps | null, pathname: string, watched: boolean): FirstSteps | null {
  const [steps, setSteps] = useState(first);
  useEffect(() => setSteps(first), [first]);
  const isBrought = useRef(true);
  const asks = watched && steps !== null && !steps.file;
  useEffect(() => {
    const isNew = !isBrought.current;
    isBrought.current = false;
    if (!asks) return undefined;
    const stop = new AbortController();
    const refresh = () => {
      if (document.visibilityState === 'hidden') return;
      call(api.firstSteps, { signal: stop.signal }).then(setSteps, () => undefined);
    };
    if (isNew) refresh();
    const timer = setInterval(refresh, everyMs);
    return () => {
      clearInterval(timer);
      stop.abort();
    };
  }, [asks, pathname]);
  return steps;
}
