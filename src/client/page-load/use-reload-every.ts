import { useEffect } from 'react';
import { useNavigation, useRevalidator } from 'react-router';

/**
 * Loads the page's data again `everyMs` after the last load has ended, as long as `wanted` and the window is visible. It waits
 * for loads and navigations: the router cancels those under way for a reload, so on a slow server none would ever end.
 */
export function useReloadEvery(everyMs: number, wanted: boolean): void {
  const { revalidate, state } = useRevalidator();
  const navigation = useNavigation();
  const idle = state === 'idle' && navigation.state === 'idle';
  useEffect(() => {
    if (!wanted || !idle) return undefined;
    const timer = setInterval(() => document.hidden || void revalidate(), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, wanted, idle, revalidate]);
}
