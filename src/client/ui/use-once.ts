import { useRef, useState } from 'react';

/**
 * Guards an action of a button: while it is running it is not started again, however fast the user presses. The guard works at
 * once, `busy` one render later.
 */
export function useOnce<Args extends readonly unknown[]>(
  action: (...args: Args) => Promise<void>,
): { busy: boolean; start: (...args: Args) => void } {
  const [busy, setBusy] = useState(false);
  const underWay = useRef(false);
  const start = (...args: Args) => {
    if (underWay.current) return;
    underWay.current = true;
    setBusy(true);
    void action(...args).finally(() => {
      underWay.current = false;
      setBusy(false);
    });
  };
  return { busy, start };
}
