import { useEffect, useRef } from 'react';

/**
 * Gives the focus to the next button, or to a heading, when a success disables the one that was pressed: the focus would be lost.
 * `done`: whether the pressed one stays disabled. Returns the refs of both. A focus that the user has moved meanwhile stays where it is.
 */
export function useNextFocus<Next extends HTMLElement = HTMLButtonElement>(done: boolean) {
  const pressed = useRef<HTMLButtonElement>(null);
  const next = useRef<Next>(null);
  useEffect(() => {
    const { activeElement } = document;
    // The browser takes the focus from a disabled button only at its next frame.
    const lost = activeElement === document.body || activeElement === pressed.current;
    if (done && lost) next.current?.focus();
  }, [done]);
  return { pressed, next };
}
