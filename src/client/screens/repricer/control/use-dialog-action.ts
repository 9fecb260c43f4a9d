import { useEffect, useRef, useState } from 'react';
import type { Failure } from '#client/failure.ts';
import { focusSoon } from '#client/ui/focus/focus-soon.ts';
import { useOnce } from '#client/ui/use-once.ts';
import type { Switches } from './use-switches.ts';

type Dialog = { opened: boolean; switches: Switches; onClose: () => void };

/** Ids of the elements that take the focus if a success removed the button that opened the dialog. */
export const focusIds = { heldItems: 'angehaltene-artikel', sending: 'senden' } as const;

/**
 * Runs a dialog's action and closes the dialog after success. The dialog shows why it failed; if the user has closed it meanwhile,
 * the page does.
 */
export function useDialogAction(act: () => Promise<Failure | null>, { opened, switches, onClose }: Dialog) {
  const [failure, setFailure] = useState<Failure | null>(null);
  const shown = useRef(false);
  useEffect(() => {
    shown.current = opened;
    return () => {
      shown.current = false;
    };
  }, [opened]);
  const { busy, start } = useOnce(async () => {
    setFailure(null);
    const problem = await act();
    if (!shown.current) {
      if (problem !== null) switches.showFailure(problem);
      return;
    }
    setFailure(problem);
    if (problem !== null) return;
    onClose();
    focusSoon(afterDialog, takeLostFocus);
  });
  return { busy, failure, start };
}

/** Returns what follows on the page once no dialog covers it. */
function afterDialog(): HTMLElement | null {
  if (document.querySelector('[aria-modal="true"]') !== null) return null;
  return document.getElementById(focusIds.heldItems) ?? document.getElementById(focusIds.sending);
}

function takeLostFocus(element: HTMLElement): void {
  if (document.activeElement === document.body) element.focus({ preventScroll: true });
}
