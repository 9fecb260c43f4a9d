import { useEffect, useEffectEvent, useState } from 'react';
import { api } from '#shared/api.ts';
import type { RepricerState, RepricerSwitches } from '#shared/repricer-state.ts';
import { call } from '../../call.ts';
import { type Failure, failureOf } from '../../failure.ts';

/** Whatever can keep prices from going out, and what may be done about it. Looked up again whenever somebody comes back. */
export function useSwitches(masterid: string, loaded: RepricerState) {
  const params = { masterid };
  const [state, setState] = useState(loaded);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [busy, setBusy] = useState(false);

  const trying = async (act: () => Promise<RepricerState>): Promise<boolean> => {
    setBusy(true);
    setFailure(null);
    try {
      setState(await act());
      return true;
    } catch (error) {
      setFailure(failureOf('Fehler beim Speichern', error));
      return false;
    } finally {
      setBusy(false);
    }
  };
  const look = () => call(api.repricerState, { params });
  const refresh = useEffectEvent(() => {
    // What cannot be looked up now stays as it was known; the next look tries again.
    if (document.visibilityState === 'visible') look().then(setState, () => undefined);
  });
  useEffect(() => {
    const listen = () => refresh();
    document.addEventListener('visibilitychange', listen);
    const timer = setInterval(listen, 30_000);
    return () => {
      document.removeEventListener('visibilitychange', listen);
      clearInterval(timer);
    };
  }, []);

  return {
    state,
    busy,
    failure,
    closeFailure: () => setFailure(null),
    set: (body: Partial<RepricerSwitches>) => trying(() => call(api.setRepricerState, { params, body })),
    release: (what: 'breakers' | 'limits', reason: string) =>
      trying(() => call(api.releasePrices, { params, body: { what, reason } })),
    stopCompany: (stopped: boolean, reason: string) =>
      trying(async () => {
        await call(api.stopPrices, { body: { stopped, reason } });
        return look();
      }),
  };
}
export type Switches = ReturnType<typeof useSwitches>;
