/** What was asked for is drawn within so many milliseconds, on a slow machine too; later nobody expects it any more. */
const PATIENCE = 10_000;

/**
 * Calls `arrive` with an element as soon as `find` has it, to put the focus there. Who types or points somewhere before that is
 * not torn away.
 */
export function focusSoon(find: () => HTMLElement | null | undefined, arrive: (found: HTMLElement) => void): void {
  const until = performance.now() + PATIENCE;
  const acted = new AbortController();
  for (const event of ['keydown', 'pointerdown'])
    window.addEventListener(event, () => acted.abort(), { capture: true, signal: acted.signal });
  const look = () => {
    if (acted.signal.aborted) return;
    const found = find();
    if (found) arrive(found);
    if (found || performance.now() > until) acted.abort();
    else requestAnimationFrame(look);
  };
  look();
}
