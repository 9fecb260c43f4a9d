import { useSyncExternalStore } from 'react';

function watch(changed: () => void): () => void {
  const printed = matchMedia('print');
  printed.addEventListener('change', changed);
  return () => printed.removeEventListener('change', changed);
}

/** Whether the page is being printed; renders before the browser captures the page. */
export const usePrinting = (): boolean =>
  useSyncExternalStore(
    watch,
    () => matchMedia('print').matches,
    () => false,
  );
