import { useMemo, useState } from 'react';
import { useRevalidator, type useSearchParams } from 'react-router';
import { useAskedAddress } from '#client/paths/asked-address.ts';
import { columnsOf, type ItemsQuery, readQuery, writeQuery } from './items-query.ts';
import { useAllItems } from './use-all-items.ts';

/** What the grid is asked for: by the address, or among loaded items by what was chosen since. */
export function useItemsQuery(masterid: string, [search, setSearch]: ReturnType<typeof useSearchParams>) {
  const { revalidate } = useRevalidator();
  const [localQuery, setLocalQuery] = useState<ItemsQuery | null>(null);
  const ofAddress = useMemo(() => readQuery(search), [search]);
  const all = useAllItems(masterid, columnsOf(ofAddress));
  const query = (all.rows === null ? null : localQuery) ?? ofAddress;
  const address = useAskedAddress();
  const ofAsked = useMemo(() => readQuery(address), [address]);
  /** What was asked for last, also while its items are on their way: a click builds on the one before. */
  const asked = query === ofAddress ? ofAsked : query;
  const forget = () => {
    all.forget();
    setLocalQuery(null);
  };
  const goTo = (changed: Partial<ItemsQuery>, replace = false) => {
    const next = { ...asked, page: 0, ...changed };
    const sameColumns = String(next.columns) === String(query.columns);
    if (all.rows !== null && sameColumns) return setLocalQuery(next);
    // What was loaded lacks columns that were not shown then.
    if (!sameColumns) forget();
    setSearch(writeQuery(next), { preventScrollReset: true, replace });
  };
  const reset = async () => {
    forget();
    setSearch({});
    await revalidate();
  };
  return { query, asked, all, goTo, reset, forgetLocal: () => setLocalQuery(null) };
}
