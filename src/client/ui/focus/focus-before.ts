/** Milliseconds until whoever places the focus itself has done so; closing dialogs take 10. */
const PATIENCE_MS = 100;
/** Number of visited elements that are remembered. */
const REMEMBERED = 30;

/** Keys that press a button or remove something; others, such as those that scroll a table, never mean to leave an element. */
const acting = new Set(['Enter', ' ', 'Delete', 'Backspace']);

/**
 * Gives the focus to the element that had it before when a key press removed the focused one, such as a row's delete button or
 * the save bar: a keyboard user would otherwise start again at the top of the page. A focus placed otherwise stays.
 */
export function focusBeforeRemoved(): void {
  let visited: HTMLElement[] = [];
  let acted = false;
  const lost = () => document.activeElement === document.body && visited.at(-1)?.isConnected === false;
  const goBack = () => {
    if (acted && lost()) visited.findLast(mayHaveFocus)?.focus({ preventScroll: true });
  };
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    const others = visited.filter((element) => element !== target && element.isConnected);
    visited = [...others.slice(1 - REMEMBERED), target];
  });
  document.addEventListener('keydown', ({ key }) => (acted = acting.has(key)), { capture: true });
  document.addEventListener('pointerdown', () => (acted = false), { capture: true });
  const removals = new MutationObserver(() => {
    if (acted && lost()) setTimeout(goBack, PATIENCE_MS);
  });
  removals.observe(document, { childList: true, subtree: true });
}

/**
 * Only what is in the open dialog or else in the page's content: after the way to another page nothing of the former one is left to
 * go back to.
 */
function mayHaveFocus(element: HTMLElement): boolean {
  const front = [...document.querySelectorAll('[aria-modal="true"]')].at(-1) ?? document.querySelector('main');
  return front?.contains(element) === true && !element.matches(':disabled') && element.checkVisibility();
}
