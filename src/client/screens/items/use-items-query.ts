import { useMemo, useState } from 'react';
import { useRevalidator, type useSearchParams } from 'react-router';
import { useAskedAddress } from '#client/paths/asked-address.ts';
import type { ItemPage } from '#shared/items/schema.ts';
import { columnsOf, type ItemsQuery, readQuery, writeQuery } from './items-query.ts';
import { isSelectable } from './local-items.ts';
import { useAllItems } from './use-all-items.ts';

/** What the grid is asked for: by the address, or among loaded items by what was chosen since. */
export function useItemsQuery(
  masterid: string,
  [search, setSearch]: ReturnType<typeof useSearchParams>,
  page: ItemPage | null,
) {
  const { revalidate } = useRevalidator();
  const [localQuery, setLocalQuery] = useState<ItemsQuery | null>(null);
  const ofAddress = useMemo(() => readQuery(search), [search]);
  const all = useAllItems(masterid, columnsOf(ofAddress));
  const query = (all.rows === null ? null : localQuery) ?? ofAddress;
  const address = useAskedAddress();
  const ofAsked = useMemo(() => readQuery(address), [address]);
  /** What was asked for last, also while its items are on their way: a click builds on the one before. */
  const asked = query === ofAddress ? ofAsked : query;
  /** The loaded items, where they tell what the query selects. */
  const localRows = (wanted: ItemsQuery) =>
    all.rows !== null && isSelectable(all.rows, page?.fields ?? [], wanted) ? all.rows : null;
  const forget = () => {
    all.forget();
    setLocalQuery(null);
  };
  const goTo = (changed: Partial<ItemsQuery>, replace = false) => {
    const next = { ...asked, page: 0, ...changed };
    const sameColumns = String(next.columns) === String(query.columns);
    if (sameColumns && localRows(next) !== null) return setLocalQuery(next);
    setLocalQuery(null);
    // What was loaded lacks columns that were not shown then.
    if (!sameColumns) forget();
    setSearch(writeQuery(next), { preventScrollReset: true, replace });
  };
  const reset = async () => {
    forget();
    setSearch({});
    await revalidate();
  };
  return { query, asked, all, rows: localRows(query), goTo, reset, forgetLocal: () => setLocalQuery(null) };
}
