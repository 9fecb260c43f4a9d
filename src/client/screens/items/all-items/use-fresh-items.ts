import { useEffect, useEffectEvent, useRef } from 'react';
import { useLiveStatus } from '#client/shell/live-status.tsx';

/**
 * Reloads the page when an import of the catalogue ends, and when the user returns to the window: loaded items are searched
 * without the server, which alone knows of a newer state.
 */
export function useFreshItems(masterid: string, reload: () => Promise<void>): void {
  const { importsFinished, missed } = useLiveStatus();
  const finished = (importsFinished.get(masterid) ?? 0) + missed;
  const seen = useRef({ masterid, finished });
  const anew = useEffectEvent(() => {
    if (document.visibilityState === 'visible') void reload();
  });
  useEffect(() => {
    if (seen.current.masterid === masterid && finished > seen.current.finished) anew();
    seen.current = { masterid, finished };
  }, [masterid, finished]);
  useEffect(() => {
    const stop = new AbortController();
    document.addEventListener('visibilitychange', () => anew(), { signal: stop.signal });
    return () => stop.abort();
  }, []);
}
