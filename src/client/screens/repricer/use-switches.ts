import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { api } from '#shared/api.ts';
import type { RepricerState, RepricerSwitches } from '#shared/repricer-state.ts';
import { call } from '../../call.ts';
import { type Failure, failureOf } from '../../failure.ts';

/** Whatever can keep prices from going out, and what may be done about it. Looked up again whenever somebody comes back. */
export function useSwitches(masterid: string, loaded: RepricerState) {
  const params = { masterid };
  const [state, setState] = useState(loaded);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [acted, setActed] = useState(0);
  const [pending, setPending] = useState(0);
  const before = useRef<Promise<unknown>>(Promise.resolve());

  /** One after the other: answers that overtake each other would show a state that is no more. */
  const trying = async (act: () => Promise<RepricerState>): Promise<boolean> => {
    setPending((count) => count + 1);
    setFailure(null);
    const turn = before.current.then(act);
    before.current = turn.catch(() => undefined);
    try {
      setState(await turn);
      setActed((count) => count + 1);
      return true;
    } catch (error) {
      setFailure(failureOf('Fehler beim Speichern', error));
      return false;
    } finally {
      setPending((count) => count - 1);
    }
  };
  const look = () => call(api.repricerState, { params });
  const refresh = () => {
    // What cannot be looked up now stays as it was known; the next look tries again.
    if (document.visibilityState === 'visible' && pending === 0) look().then(setState, () => undefined);
  };
  useLooks(refresh, acted);

  return {
    state,
    busy: pending > 0,
    failure,
    closeFailure: () => setFailure(null),
    set: (body: Partial<RepricerSwitches>) => trying(() => call(api.setRepricerState, { params, body })),
    release: (what: 'breakers' | 'limits', reason: string) =>
      trying(() => call(api.releasePrices, { params, body: { what, reason } })),
    releaseItems: (ids: string[], reason: string) =>
      trying(() => call(api.releaseItems, { params, body: { ids, reason } })),
    startRestore: (moment: string, reason: string) =>
      trying(() => call(api.startRestore, { params, body: { moment, reason } })),
    endRestore: () => trying(() => call(api.endRestore, { params })),
    stopCompany: (stopped: boolean, reason: string) =>
      trying(async () => {
        await call(api.stopPrices, { body: { stopped, reason } });
        return look();
      }),
  };
}

/** Looks again whenever somebody comes back, every half a minute, and soon after something was done. */
function useLooks(look: () => void, acted: number): void {
  const again = useEffectEvent(look);
  useEffect(() => {
    const listen = () => again();
    document.addEventListener('visibilitychange', listen);
    const timer = setInterval(listen, 30_000);
    return () => {
      document.removeEventListener('visibilitychange', listen);
      clearInterval(timer);
    };
  }, []);
  // Every price is decided anew after a switch; what comes of that, a breaker for example, is there soon after.
  useEffect(() => {
    if (acted === 0) return;
    const timer = setTimeout(() => again(), 4000);
    return () => clearTimeout(timer);
  }, [acted]);
}
export type Switches = ReturnType<typeof useSwitches>;
