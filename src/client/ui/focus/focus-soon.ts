/** Milliseconds to wait for the element; even a slow machine renders sooner, and later nobody expects the focus to move. */
const TIMEOUT_MS = 10_000;

/**
 * Calls `arrive` with an element as soon as `find` returns it, to focus it there. A key or pointer press before that cancels it.
 */
export function focusSoon(find: () => HTMLElement | null | undefined, arrive: (found: HTMLElement) => void): void {
  const until = performance.now() + TIMEOUT_MS;
  const acted = new AbortController();
  for (const event of ['keydown', 'pointerdown'])
    window.addEventListener(event, () => acted.abort(), { capture: true, signal: acted.signal });
  const check = () => {
    if (acted.signal.aborted) return;
    const found = find();
    if (found) arrive(found);
    if (found || performance.now() > until) acted.abort();
    else requestAnimationFrame(check);
  };
  check();
}
