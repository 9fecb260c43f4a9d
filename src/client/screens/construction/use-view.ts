import { useSearchParams } from 'react-router';
import type { Group } from './groups.ts';
import type { View } from '#client/screens/construction/values/value-kinds.ts';

const names = { view: 'ansicht', group: 'gruppe', suggestions: 'vorschlaege' } as const;

/** Keeps the editor's view and open tab in the URL, so that they can be shared. */
export function useView() {
  const [search, setSearch] = useSearchParams();
  const put = (name: string, value: string | null) =>
    setSearch(
      (now) => {
        const next = new URLSearchParams(now);
        if (value === null) next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  const view: View = search.get(names.view) === 'tabelle' ? 'table' : 'tabs';
  return {
    view,
    wantedGroup: search.get(names.group),
    suggesting: search.get(names.suggestions) === '1',
    setView: (next: View) => put(names.view, next === 'table' ? 'tabelle' : null),
    setGroup: (group: string) => put(names.group, group),
    setSuggesting: (open: boolean) => put(names.suggestions, open ? '1' : null),
  };
}

/** Returns the open tab: the requested one, else the first that has rows. */
export function openGroup(groups: readonly Group[], wanted: string | null): string {
  const found = groups.find(({ name }) => name === wanted) ?? groups.find(({ rows }) => rows.length > 0) ?? groups[0];
  return found?.name ?? '';
}
