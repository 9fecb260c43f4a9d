import { useEffect, useEffectEvent } from 'react';
import { useRevalidator } from 'react-router';
import { api } from '#shared/http/api.ts';
import type { OrderAction, OrderCounters } from '#shared/orders/schema.ts';
import { call } from '#client/call.ts';
import { logFailure } from '#client/failure.ts';
import { useLiveStatus } from '#client/shell/live-status.tsx';

const everyMs = 20_000;

/**
 * Loads the page anew when something has come in: when a run of an account or an import has ended, and when the numbers of orders
 * that wait are others than shown. A window that nobody sees does not ask, and asks at once when it is seen again.
 */
export function useFreshOrders(counters: OrderCounters | null): void {
  const { finished } = useLiveStatus();
  const { revalidate } = useRevalidator();
  const anew = useEffectEvent(() => void revalidate());
  useEffect(() => {
    if (finished > 0) anew();
  }, [finished]);
  const look = useEffectEvent(async (signal: AbortSignal) => {
    if (document.visibilityState === 'hidden' || counters === null) return;
    const now = await call(api.orderCounters, { signal });
    if (JSON.stringify(now) !== JSON.stringify(counters)) anew();
  });
  useEffect(() => {
    const stop = new AbortController();
    const lookNow = () => {
      look(stop.signal).catch((error: unknown) => {
        if (!stop.signal.aborted) logFailure('Fehler beim Laden', error);
      });
    };
    const timer = setInterval(lookNow, everyMs);
    // Whoever comes back to the window wants to see what came meanwhile, not 20 seconds later.
    document.addEventListener('visibilitychange', lookNow, { signal: stop.signal });
    return () => {
      clearInterval(timer);
      stop.abort();
    };
  }, []);
}

const actionMs = 4000;

/** While something is on its way to the marketplace, its order is loaded anew until it has arrived. */
export function useFreshOrder(actions: readonly OrderAction[]): void {
  const { revalidate } = useRevalidator();
  const anew = useEffectEvent(() => {
    if (document.visibilityState === 'visible') void revalidate();
  });
  const waiting = actions.some(({ state }) => ['new', 'sending', 'submitted', 'unknown'].includes(state));
  useEffect(() => {
    if (!waiting) return undefined;
    const timer = setInterval(() => anew(), actionMs);
    return () => clearInterval(timer);
  }, [waiting]);
}
