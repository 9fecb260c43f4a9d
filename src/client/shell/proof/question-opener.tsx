import { useCallback, useEffect, useRef, useState } from 'react';
import { type ConfirmationRequest, onConfirmationRequest } from '#client/call.ts';

type Dialog = (typeof import('./asked-back-dialog.tsx'))['AskedBackDialog'];

/**
 * Shows the confirmations that the server demands: a renewed sign-in before changing secrets, members and price limits; consent
 * before changing many limits. The call waits and is then repeated; its form keeps what was typed. The dialog is loaded on
 * demand; if that fails, the call fails with its own message.
 */
export function QuestionOpener() {
  const answerCall = useRef<((given: boolean) => void) | null>(null);
  const [Dialog, setDialog] = useState<Dialog | null>(null);
  const [pendingRequest, setPendingRequest] = useState<ConfirmationRequest | null>(null);
  const finish = useCallback((given: boolean) => {
    setPendingRequest(null);
    answerCall.current?.(given);
    answerCall.current = null;
  }, []);
  useEffect(
    () =>
      onConfirmationRequest((question) => {
        // Calls in parallel: the new dialog replaces the open one, whose call is refused.
        answerCall.current?.(false);
        const { promise, resolve } = Promise.withResolvers<boolean>();
        answerCall.current = resolve;
        const show = async () => {
          const loaded = await import('./asked-back-dialog.tsx').catch(() => undefined);
          // Escape or the next call may have answered meanwhile.
          if (answerCall.current !== resolve) return;
          if (loaded === undefined) return finish(false);
          setDialog(() => loaded.AskedBackDialog);
          setPendingRequest(question);
        };
        void show();
        return promise;
      }),
    [finish],
  );
  useEffect(() => {
    // Registered before every dialog that a page opens: Escape closes this one, and none below it.
    const byEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || answerCall.current === null) return;
      event.stopImmediatePropagation();
      finish(false);
    };
    window.addEventListener('keydown', byEscape, { capture: true });
    return () => window.removeEventListener('keydown', byEscape, { capture: true });
  }, [finish]);
  return Dialog === null ? null : <Dialog asked={pendingRequest} onAnswer={finish} />;
}
