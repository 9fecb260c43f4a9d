import { useEffect, useEffectEvent, useRef } from 'react';
import { useSearchParams } from 'react-router';
import type { ConstructionRow, ConstructionTemplate } from '#shared/construction/schema.ts';
import { groupOf } from '#client/screens/construction/groups.ts';
import type { RowActions } from './use-rows.ts';

type Editor = {
  rows: readonly ConstructionRow[];
  template: ConstructionTemplate | null;
  actions: RowActions;
  onGroup: (group: string) => void;
  reveal: (id: string) => void;
  mayEdit: boolean;
};

/**
 * The diagnosis links here: `?zeile=` names a row, `?neu=` a template field, which gets a row if it has
 * none. Opens its tab and focuses its value.
 */
export function useWantedRow({ rows, template, actions, onGroup, reveal, mayEdit }: Editor): void {
  const [search] = useSearchParams();
  const [rowId, name] = [search.get('zeile'), search.get('neu')];
  const shown = useRef('');
  const wanted = rows.find((row) => row.id === rowId || (name !== null && row.exportfield === name));
  // Once for each URL: later edits of the row must not move the focus back.
  const key = JSON.stringify([rowId, name]);
  const follow = useEffectEvent(() => {
    if (shown.current === key || (rowId === null && name === null)) return;
    if (wanted === undefined) {
      const known = template?.fields.find((field) => field.name === name);
      if (known !== undefined && mayEdit) actions.addFields([known]);
      return;
    }
    shown.current = key;
    onGroup(groupOf(wanted, actions.byName));
    reveal(wanted.id);
  });
  const there = wanted !== undefined;
  useEffect(() => follow(), [key, there]);
}
