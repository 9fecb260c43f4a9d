import type { MouseEvent as ReactMouseEvent } from 'react';

/** How long after a click a second one at the same place is dropped, in milliseconds. Browsers count half a second as a double click. */
const SECOND_CLICK_MS = 600;

/** Wraps an action for clicks and keys, so that a double click runs it only once and the second click presses nothing else. */
export const ignoreDoubleClick =
  (act: () => void) =>
  ({ detail }: ReactMouseEvent): void => {
    if (detail >= 2) return;
    dropSecondClick();
    act();
  };

/** What `act` shows may lie under the pointer: a second click would press it, or take the focus away from it. */
function dropSecondClick(): void {
  const names = ['mousedown', 'mouseup', 'click', 'dblclick'] as const;
  const drop = (event: MouseEvent) => {
    if (event.detail < 2) return;
    event.preventDefault();
    event.stopPropagation();
  };
  for (const name of names) addEventListener(name, drop, { capture: true });
  setTimeout(() => {
    for (const name of names) removeEventListener(name, drop, { capture: true });
  }, SECOND_CLICK_MS);
}
