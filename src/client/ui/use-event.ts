import { useCallback, useLayoutEffect, useRef } from 'react';

/** Returns a handler that stays the same object and always calls the newest one, for memoized components. */
export function useEvent<Args extends unknown[]>(handler: (...args: Args) => void): (...args: Args) => void {
  const newest = useRef(handler);
  useLayoutEffect(() => {
    newest.current = handler;
  });
  return useCallback((...args: Args) => newest.current(...args), []);
}
