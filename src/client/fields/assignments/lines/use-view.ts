import { useMemo, useState } from 'react';
import { hasState, hasText, type Line, type LineFacts, type LineState } from './lines.ts';

type View = { state: LineState; search: string; hidden: ReadonlySet<string> | null };
const everything: View = { state: 'all', search: '', hidden: null };

/**
 * Decides which rows are shown. Rows are filtered when the user changes the filter: a row stays visible while its target is
 * typed, and so does a new one.
 */
export function useView<L extends Line>(lines: readonly L[], facts: LineFacts) {
  const [view, setView] = useState(everything);
  const filterLines = (state: LineState, search: string) => {
    if (state === 'all' && search.trim() === '') return setView({ ...everything, search });
    const hidden = lines.filter((line) => !hasState(line, state, facts) || !hasText(line, search, facts));
    setView({ state, search, hidden: new Set(hidden.map(({ id }) => id)) });
  };
  const { hidden } = view;
  const shown = useMemo(
    () => (hidden === null || hidden.size === 0 ? lines : lines.filter(({ id }) => !hidden.has(id))),
    [lines, hidden],
  );
  return { ...view, shown, look: filterLines };
}
export type LinesView<L extends Line> = ReturnType<typeof useView<L>>;
