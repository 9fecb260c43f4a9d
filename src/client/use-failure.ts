import { useState } from 'react';
import type { Failure } from './failure.ts';
import { showFailure } from '#client/ui/notices.tsx';
import { useGone } from '#client/ui/use-gone.ts';

/**
 * The failure of something that was sent, to be shown next to what it concerns. If that has left the page before the answer came,
 * the failure is shown as a notice where the user is now: what was sent has not been done.
 */
export function useFailure() {
  return useShown<Failure>((failure) => failure);
}

/** The same for a form that also shows what the error says about its fields. */
export function useFormFailure() {
  return useShown<{ failure: Failure; error: unknown }>(({ failure }) => failure);
}

function useShown<T>(failureIn: (failed: T) => Failure): [T | null, (failed: T | null) => void] {
  const [shown, setShown] = useState<T | null>(null);
  const isGone = useGone();
  // The same function at each render, as a state's setter is.
  const [show] = useState(() => (failed: T | null) => {
    if (failed !== null && isGone()) showFailure(failureIn(failed));
    else setShown(failed);
  });
  return [shown, show];
}
