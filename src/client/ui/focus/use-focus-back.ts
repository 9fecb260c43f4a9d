import { useEffect, useState } from 'react';

/** The element that has the focus; null where none has. */
const focused = (): Element | null => (document.activeElement === document.body ? null : document.activeElement);

/**
 * Gives the focus back to what had it, for a dialog that is drawn only while it is open: the library's dialogs remember it only
 * where they see themselves open and close. `opened`: whether it is open from its first drawing on.
 */
export function useFocusBack(opened = true): void {
  const [before] = useState(() => (opened && typeof document !== 'undefined' ? focused() : null));
  useEffect(() => {
    // A dialog that takes the place of another one: what opened that one has the focus by now.
    const opener = before?.isConnected === true ? before : focused();
    return () => {
      // Whoever is somewhere else already is not fetched back.
      if (opened && focused() === null && opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- both are those of the first drawing
  }, []);
}
