import { useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { SimulatedContent } from '#shared/repricer/before-save.ts';
import { call } from '#client/call.ts';

/** Loads which versions of the rules were simulated; reloaded after every simulation. */
export function useSimulatedRules(masterid: string, loaded: readonly SimulatedContent[]) {
  const [tried, setTried] = useState(loaded);
  // After a failure the last state stays; the next simulation tries again.
  const load = () => void call(api.simulatedRules, { params: { masterid } }).then(setTried, () => undefined);
  return { tried, look: load };
}
