import { useEffect, useEffectEvent } from 'react';

/** Calls `look` every `everyMs`, and at once when the user returns to the window. */
export function useLooks(look: () => void, everyMs: number): void {
  const now = useEffectEvent(look);
  useEffect(() => {
    const stop = new AbortController();
    const listen = () => now();
    document.addEventListener('visibilitychange', listen, { signal: stop.signal });
    window.addEventListener('focus', listen, { signal: stop.signal });
    const timer = setInterval(listen, everyMs);
    return () => {
      stop.abort();
      clearInterval(timer);
    };
  }, [everyMs]);
}
