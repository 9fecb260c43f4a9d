import { useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { SimulatedContent } from '#shared/repricer/before-save.ts';
import { call } from '#client/call.ts';

/** Which contents of the rules somebody has simulated; looked up again after every simulation. */
export function useSimulatedRules(masterid: string, loaded: readonly SimulatedContent[]) {
  const [tried, setTried] = useState(loaded);
  // What cannot be looked up now stays as it was known; the next simulation tries again.
  const look = () => void call(api.simulatedRules, { params: { masterid } }).then(setTried, () => undefined);
  return { tried, look };
}
