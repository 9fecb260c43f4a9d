import { useCallback, useLayoutEffect, useRef } from 'react';

/** A handler that stays the same object and always does what the newest one would: for parts that are memoized. */
export function useEvent<Args extends unknown[]>(handler: (...args: Args) => void): (...args: Args) => void {
  const newest = useRef(handler);
  useLayoutEffect(() => {
    newest.current = handler;
  });
  return useCallback((...args: Args) => newest.current(...args), []);
}
