import { useCallback, useEffect, useRef, useState } from 'react';
import { type AskedBack, onAskedBack } from '#client/call.ts';

type Dialog = (typeof import('./asked-back-dialog.tsx'))['AskedBackDialog'];

/**
 * Asks what the server asks back: who somebody is, before secrets, members and limits of prices; whether so many limits shall move. The
 * call waits and is repeated by itself; what was typed in its form stays. The dialog is loaded when it is wanted; where it cannot be, the
 * call fails with its own words.
 */
export function QuestionOpener() {
  const answerCall = useRef<((given: boolean) => void) | null>(null);
  const [Dialog, setDialog] = useState<Dialog | null>(null);
  const [asked, setAsked] = useState<AskedBack | null>(null);
  useEffect(
    () =>
      onAskedBack(async (question) => {
        // Several calls at once wait for the same answer: the first dialog is given up for the last.
        answerCall.current?.(false);
        const answer = new Promise<boolean>((resolve) => {
          answerCall.current = resolve;
        });
        const loaded = await import('./asked-back-dialog.tsx').catch(() => undefined);
        if (loaded === undefined) return false;
        setDialog(() => loaded.AskedBackDialog);
        setAsked(question);
        return answer;
      }),
    [],
  );
  const finish = useCallback((given: boolean) => {
    setAsked(null);
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
  return Dialog === null ? null : <Dialog asked={asked} onAnswer={finish} />;
}
