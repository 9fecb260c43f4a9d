import { useRef, useState } from 'react';

/**
 * What a button starts: while it is under way it is not started a second time, however fast somebody presses. `busy` comes one
 * drawing after the press, the guard with it.
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
