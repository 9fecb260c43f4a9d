import { useEffect, useRef, useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { FirstSteps } from '#shared/masters/first-steps.ts';
import { call } from '#client/call.ts';

/** How often is looked whether a step was done, by a run or in another window. */
const everyMs = 3000;

/**
 * How far the company is, kept fresh while `watched` and anew at every screen. A look that fails changes nothing. The first screen
 * brings it along: asked for at once as well, it would load the shapes of all calls before anybody needs them.
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
    const look = () => {
      if (document.visibilityState === 'hidden') return;
      call(api.firstSteps, { signal: stop.signal }).then(setSteps, () => undefined);
    };
    if (isNew) look();
    const timer = setInterval(look, everyMs);
    return () => {
      clearInterval(timer);
      stop.abort();
    };
  }, [asks, pathname]);
  return steps;
}
