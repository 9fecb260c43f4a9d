/**
 * Gives the focus back to a button that lost it because it was disabled while its action ran: a keyboard user would otherwise
 * start again at the top of the page after each failed save. A focus that the user has moved meanwhile stays where it is,
 * and a click elsewhere counts as moved, even where nothing takes the focus.
 */
export function keepFocusOfBusyButtons(): void {
  const enabled = new MutationObserver(([change]) => {
    const button = change?.target;
    if (!(button instanceof HTMLButtonElement) || button.disabled || document.activeElement !== document.body) return;
    button.focus({ preventScroll: true });
  });
  let watched: HTMLButtonElement | null = null;
  const watch = (button: HTMLButtonElement | null) => {
    enabled.disconnect();
    watched = button;
    if (button !== null) enabled.observe(button, { attributeFilter: ['disabled'] });
  };
  document.addEventListener('focusin', ({ target }) => watch(target instanceof HTMLButtonElement ? target : null));
  const pressed = ({ target }: PointerEvent) => {
    if (watched?.disabled === true && !(target instanceof Node && watched.contains(target))) watch(null);
  };
  // A dialog may stop the event on its way up.
  document.addEventListener('pointerdown', pressed, { capture: true });
}
