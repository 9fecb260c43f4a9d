import { useMemo } from 'react';
import { useRevalidator, type useSearchParams } from 'react-router';
import { useAskedAddress } from '#client/paths/asked-address.ts';
import type { ItemPage } from '#shared/items/schema.ts';
import { columnsOf, type ItemsQuery, readFilters, readQuery, writeQuery } from './items-query.ts';
import { isSelectable } from './all-items/local-items.ts';
import { useAllItems } from './all-items/use-all-items.ts';

/** The query of an address; its filters stay the same ones while the address says the same of them. */
function useItemsQueryOf(search: URLSearchParams): ItemsQuery {
  const filterText = search.get('filter');
  const filters = useMemo(() => readFilters(filterText), [filterText]);
  return useMemo(() => ({ ...readQuery(search), filters }), [search, filters]);
}

/** What the grid is asked for, which the address says; loaded items answer it without the server, where they can. */
export function useItemsQuery(
  masterid: string,
  [search, setSearch]: ReturnType<typeof useSearchParams>,
  page: ItemPage | null,
) {
  const { revalidate } = useRevalidator();
  const query = useItemsQueryOf(search);
  const all = useAllItems(masterid, page, columnsOf(query));
  const address = useAskedAddress();
  /** What was asked for last, also while its items are on their way: a click builds on the one before. */
  const asked = useMemo(() => readQuery(address), [address]);
  /** The loaded items, where they tell what the query selects. */
  const localRows = (wanted: ItemsQuery) =>
    all.rows !== null && isSelectable(all.rows, page?.fields ?? [], wanted) ? all.rows : null;
  const goTo = (changed: Partial<ItemsQuery>, replace = false) => {
    const next = { ...asked, page: 0, ...changed };
    if (all.failure !== null) all.dismiss();
    const options = { preventScrollReset: true, replace };
    // What was loaded lacks columns that were not shown then.
    const isLocal = String(next.columns) === String(query.columns) && localRows(next) !== null;
    // At once: a click behind it builds on the address.
    setSearch(writeQuery(next), isLocal ? { ...options, defaultShouldRevalidate: false, flushSync: true } : options);
  };
  const reset = async () => {
    all.restart();
    setSearch({});
    await revalidate();
  };
  return { query, asked, all, rows: localRows(query), goTo, reset };
}
