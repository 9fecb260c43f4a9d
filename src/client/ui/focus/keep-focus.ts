/**
 * Gives the focus back to a button that lost it because it was disabled while its action ran: a keyboard user would otherwise
 * start again at the top of the page after each failed save. A focus that the user has moved meanwhile stays where it is.
 */
export function keepFocusOfBusyButtons(): void {
  const enabled = new MutationObserver(([change]) => {
    const button = change?.target;
    if (!(button instanceof HTMLButtonElement) || button.disabled || document.activeElement !== document.body) return;
    button.focus({ preventScroll: true });
  });
  document.addEventListener('focusin', ({ target }) => {
    enabled.disconnect();
    if (target instanceof HTMLButtonElement) enabled.observe(target, { attributeFilter: ['disabled'] });
  });
}
