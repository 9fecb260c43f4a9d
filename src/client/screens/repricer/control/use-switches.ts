import { useRef, useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { BodyOf } from '#shared/http/call.ts';
import type { RepricerState, RepricerSwitches } from '#shared/repricer/state.ts';
import { call } from '#client/call.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import { pollSequencer } from './poll-sequencer.ts';
import { useRefreshes } from './use-refreshes.ts';

/**
 * Everything that can hold prices back, and the actions on it. Polled, and refreshed when the user returns to the window, and soon
 * after an action or a save of `rules`, here or in another window of the browser.
 */
export function useSwitches(masterid: string, loaded: RepricerState, rules: object) {
  const params = { masterid };
  const { state, ask, look, show, outdate } = useNewest(masterid, loaded);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [acted, setActed] = useState(0);
  const [pending, setPending] = useState(0);
  const before = useRef<Promise<unknown>>(Promise.resolve());

  /**
   * Runs actions one after the other: answers that overtake each other would show an outdated state. Returns why it failed, null
   * after success.
   */
  const attempt = async (act: () => Promise<RepricerState>): Promise<Failure | null> => {
    setPending((count) => count + 1);
    outdate();
    setFailure(null);
    const result = before.current.then(act);
    before.current = result.catch(() => undefined);
    try {
      show(await result);
      setActed((count) => count + 1);
      return null;
    } catch (error) {
      // The action may have failed because the shown state is outdated.
      look();
      return failureOf('Fehler beim Speichern', error);
    } finally {
      setPending((count) => count - 1);
    }
  };
  /** Runs an action of a button on the page, which shows the failure; a dialog shows its own, since it covers the page. */
  const trying = async (act: () => Promise<RepricerState>): Promise<void> => {
    const problem = await attempt(act);
    // An action that waited behind a failed one must not remove the other's message.
    if (problem !== null) setFailure(problem);
  };
  const stopCompany = async (body: BodyOf<typeof api.stopPrices>) => {
    await call(api.stopPrices, { body });
    return ask();
  };
  const refresh = () => {
    if (document.visibilityState === 'visible' && pending === 0) look();
  };
  const isBuilding = state.fields.kind === 'building';
  useRefreshes(refresh, { isBuilding, acted, rules });

  return {
    state,
    busy: pending > 0,
    failure,
    showFailure: setFailure,
    closeFailure: () => setFailure(null),
    set: (body: Partial<RepricerSwitches>) => trying(() => call(api.setRepricerState, { params, body })),
    /** Takes the ids from when the question was shown: later ones are not released with them. */
    releaseBreakers: (ids: string[], reason: string) =>
      attempt(() => call(api.releasePrices, { params, body: { what: 'breakers', ids, reason } })),
    confirmLimits: (version: string, reason: string) =>
      attempt(() => call(api.releasePrices, { params, body: { what: 'limits', version, reason } })),
    releaseItems: (ids: string[], reason: string) =>
      attempt(() => call(api.releaseItems, { params, body: { ids, reason } })),
    startRestore: (moment: string, reason: string) =>
      attempt(() => call(api.startRestore, { params, body: { moment, reason } })),
    endRestore: () => trying(() => call(api.endRestore, { params })),
    stopCompany: (reason: string) => attempt(() => stopCompany({ stopped: true, reason })),
    resumeCompany: () => trying(() => stopCompany({ stopped: false, reason: '' })),
  };
}

export type Switches = ReturnType<typeof useSwitches>;

/** The newest state: an answer that a newer one has overtaken is dropped. */
function useNewest(masterid: string, loaded: RepricerState) {
  const [state, setState] = useState(loaded);
  const [order] = useState(pollSequencer);
  const ask = () => call(api.repricerState, { params: { masterid } });
  // After a failure the last state stays; the next poll tries again.
  const poll = () => {
    const isNewest = order.begin();
    ask().then(
      (answer) => isNewest() && setState(answer),
      () => undefined,
    );
  };
  const show = (answer: RepricerState) => {
    order.outdate();
    setState(answer);
  };
  return { state, ask, look: poll, show, outdate: order.outdate };
}
