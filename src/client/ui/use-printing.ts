import { useSyncExternalStore } from 'react';

/** Between 'beforeprint' and 'afterprint'. */
let announced = false;

function watch(changed: () => void): () => void {
  const printed = matchMedia('print');
  const announce = ({ type }: Event) => {
    announced = type === 'beforeprint';
    changed();
  };
  printed.addEventListener('change', changed);
  addEventListener('beforeprint', announce);
  addEventListener('afterprint', announce);
  return () => {
    printed.removeEventListener('change', changed);
    removeEventListener('beforeprint', announce);
    removeEventListener('afterprint', announce);
  };
}

/**
 * Whether the page is being printed. Renders before the browser captures the page, and before it counts the sheets: it does that
 * after 'beforeprint', but before the media query changes.
 */
export const usePrinting = (): boolean =>
  useSyncExternalStore(
    watch,
    () => announced || matchMedia('print').matches,
    () => false,
  );
