import { useEffect, useEffectEvent } from 'react';
import { useRevalidator } from 'react-router';
import { api } from '#shared/http/api.ts';
import type { OrderAction, OrderCounters } from '#shared/orders/schema.ts';
import { call } from '#client/call.ts';
import { logFailure } from '#client/failure.ts';
import { useReloadEvery } from '#client/page-load/use-reload-every.ts';
import { useReloadAfterRuns } from '#client/shell/live-status.tsx';

const everyMs = 20_000;

/**
 * Reloads the page when there is something new: when a run of an account or an import ends, and when the counts of waiting orders
 * differ from those shown. A hidden window does not poll, and polls at once when it becomes visible.
 */
export function useFreshOrders(counters: OrderCounters | null): void {
  const { revalidate } = useRevalidator();
  useReloadAfterRuns();
  const poll = useEffectEvent(async (signal: AbortSignal) => {
    if (document.visibilityState === 'hidden' || counters === null) return;
    const now = await call(api.orderCounters, { signal });
    if (JSON.stringify(now) !== JSON.stringify(counters)) await revalidate();
  });
  useEffect(() => {
    const stop = new AbortController();
    const lookNow = () => {
      poll(stop.signal).catch((error: unknown) => {
        if (!stop.signal.aborted) logFailure('Fehler beim Laden', error);
      });
    };
    const timer = setInterval(lookNow, everyMs);
    // Not 20 seconds later: a user who returns to the window wants the current state.
    document.addEventListener('visibilitychange', lookNow, { signal: stop.signal });
    return () => {
      clearInterval(timer);
      stop.abort();
    };
  }, []);
}

const actionMs = 4000;

/** Reloads an order until its pending actions have reached the marketplace. */
export function useFreshOrder(actions: readonly OrderAction[]): void {
  const waiting = actions.some(({ state }) => ['new', 'sending', 'submitted', 'unknown'].includes(state));
  useReloadEvery(actionMs, waiting);
}
