import { useEffect, useEffectEvent, useRef } from 'react';

/** Milliseconds between polls: shorter while prices wait for their fields, because users watch that. */
const every = { usual: 30_000, building: 3000 } as const;

type Occasions = { masterid: string; isBuilding: boolean; acted: number; rules: object };

/** Polls at an interval, when the user returns, and soon after an action, also of another window. */
export function useRefreshes(poll: () => void, { masterid, isBuilding, acted, rules }: Occasions): void {
  const refresh = useEffectEvent(poll);
  const pause = isBuilding ? every.building : every.usual;
  useEffect(() => {
    const listen = () => refresh();
    document.addEventListener('visibilitychange', listen);
    window.addEventListener('focus', listen);
    const timer = setInterval(listen, pause);
    return () => {
      document.removeEventListener('visibilitychange', listen);
      window.removeEventListener('focus', listen);
      clearInterval(timer);
    };
  }, [pause]);
  const others = useRef<BroadcastChannel>(null);
  useEffect(() => {
    const channel = new BroadcastChannel(`kontor-repricer:${masterid}`);
    channel.addEventListener('message', () => refresh());
    others.current = channel;
    return () => channel.close();
  }, [masterid]);
  // A switch or a save makes every price be decided again; the effect, for example a tripped breaker, shows soon afterwards.
  const first = useRef(rules);
  useEffect(() => {
    if (acted === 0 && rules === first.current) return;
    const tellOthers = () => others.current?.postMessage('changed');
    const refreshAll = () => {
      refresh();
      tellOthers();
    };
    tellOthers();
    const timers = [1000, 4000].map((wait) => setTimeout(refreshAll, wait));
    return () => timers.forEach((timer) => clearTimeout(timer));
  }, [acted, rules]);
}
