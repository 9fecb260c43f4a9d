import { useRef, useState } from 'react';

/**
 * Guards an action of a button: while it is running it is not started again, however fast the user presses. The guard works at
 * once, `busy` one render later.
 */
export function useOnce(action: () => Promise<void>): { busy: boolean; start: () => void } {
  const [busy, setBusy] = useState(false);
  const underWay = useRef(false);
  const start = () => {
    if (underWay.current) return;
    underWay.current = true;
    setBusy(true);
    void action().finally(() => {
      underWay.current = false;
      setBusy(false);
    });
  };
  return { busy, start };
}
