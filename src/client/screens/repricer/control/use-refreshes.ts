import { useEffect, useEffectEvent, useRef } from 'react';
import { useLooks } from '#client/page-load/use-looks.ts';

/** Milliseconds between polls: shorter while prices wait for their fields, because users watch that. */
const every = { usual: 30_000, building: 3000 } as const;

type Occasions = { isBuilding: boolean; acted: number; rules: object };

/** Polls at an interval, when the user returns, and soon after an action, also of another window. */
export function useRefreshes(poll: () => void, { isBuilding, acted, rules }: Occasions): void {
  const refresh = useEffectEvent(poll);
  useLooks(poll, isBuilding ? every.building : every.usual);
  const others = useRef<BroadcastChannel>(null);
  useEffect(() => {
    // One channel for all catalogues: an emergency stop of the company concerns every one.
    const channel = new BroadcastChannel('kontor-repricer');
    channel.addEventListener('message', () => refresh());
    others.current = channel;
    return () => channel.close();
  }, []);
  // A switch or a save makes every price be decided again; the effect, for example a tripped breaker, shows soon afterwards.
  const first = useRef(rules);
  useEffect(() => {
    if (acted === 0 && rules === first.current) return;
    const notifyOthers = () => others.current?.postMessage('changed');
    const refreshAll = () => {
      refresh();
      notifyOthers();
    };
    notifyOthers();
    const timers = [1000, 4000].map((wait) => setTimeout(refreshAll, wait));
    return () => timers.forEach((timer) => clearTimeout(timer));
  }, [acted, rules]);
}
