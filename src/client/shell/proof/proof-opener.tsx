import { useCallback, useEffect, useRef, useState } from 'react';
import { onProofWanted } from '#client/call.ts';

type Dialog = typeof import('./proof-dialog.tsx').ProofDialog;

/**
 * Asks once more who somebody is, where a call needs it: secrets, members, limits of prices. The call waits and is repeated by itself;
 * what was typed in its form stays. The dialog is loaded when it is wanted; where it cannot be, the call fails with its own words.
 */
export function ProofOpener() {
  const answerCall = useRef<((given: boolean) => void) | null>(null);
  const [ProofDialog, setDialog] = useState<Dialog | null>(null);
  const [opened, setOpened] = useState(false);
  useEffect(
    () =>
      onProofWanted(async () => {
        // Several calls at once wait for the same answer: the first dialog is given up for the last.
        answerCall.current?.(false);
        const answer = new Promise<boolean>((resolve) => {
          answerCall.current = resolve;
        });
        const loaded = await import('./proof-dialog.tsx').catch(() => undefined);
        if (loaded === undefined) return false;
        setDialog(() => loaded.ProofDialog);
        setOpened(true);
        return answer;
      }),
    [],
  );
  const finish = useCallback((given: boolean) => {
    setOpened(false);
    answerCall.current?.(given);
    answerCall.current = null;
  }, []);
  useEffect(() => {
    // Listens before every dialog that a page opens: Escape closes this one, and none that lies below it.
    const byEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || answerCall.current === null) return;
      event.stopImmediatePropagation();
      finish(false);
    };
    window.addEventListener('keydown', byEscape, { capture: true });
    return () => window.removeEventListener('keydown', byEscape, { capture: true });
  }, [finish]);
  return ProofDialog === null ? null : <ProofDialog opened={opened} onAnswer={finish} />;
}
