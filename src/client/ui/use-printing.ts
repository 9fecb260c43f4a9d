import { useSyncExternalStore } from 'react';

function watch(changed: () => void): () => void {
  const printed = matchMedia('print');
  printed.addEventListener('change', changed);
  return () => printed.removeEventListener('change', changed);
}

/** Whether the page is being put on paper; drawn anew before the browser takes its picture. */
export const usePrinting = (): boolean =>
  useSyncExternalStore(
    watch,
    () => matchMedia('print').matches,
    () => false,
  );
