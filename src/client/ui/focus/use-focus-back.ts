import { useEffect, useState } from 'react';

/** Returns the focused element; null if there is none. */
const focused = (): Element | null => (document.activeElement === document.body ? null : document.activeElement);

/**
 * Gives the focus back to the element that had it, for a dialog that is rendered only while it is open: the library's dialogs
 * remember it only if they see themselves open and close. `opened`: whether it is open from its first render on.
 */
export function useFocusBack(opened = true): void {
  const [before] = useState(() => (opened && typeof document !== 'undefined' ? focused() : null));
  useEffect(() => {
    // If this dialog replaces another one, the element that opened that one has the focus by now.
    const opener = before?.isConnected === true ? before : focused();
    return () => {
      // The focus stays where the user has moved it meanwhile.
      if (opened && focused() === null && opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- both values are those of the first render
  }, []);
}
