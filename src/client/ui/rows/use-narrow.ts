import { useSyncExternalStore } from 'react';

/** Windows in which tables become cards (assignment-table.module.css). */
const query = '(max-width: 719px)';

function watch(changed: () => void): () => void {
  const narrow = matchMedia(query);
  narrow.addEventListener('change', changed);
  return () => narrow.removeEventListener('change', changed);
}

/** Whether the window is too narrow for a table with columns. */
export const useNarrow = (): boolean =>
  useSyncExternalStore(
    watch,
    () => matchMedia(query).matches,
    () => false,
  );
