import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useRevalidator, type useSearchParams } from 'react-router';
import { useAskedAddress } from '#client/paths/asked-address.ts';
import type { ItemPage } from '#shared/items/schema.ts';
import { columnsOf, type ItemsQuery, readFilters, readQuery, writeQuery } from './items-query.ts';
import { answerLocally } from './all-items/local-answers.ts';
import { isSelectable } from './all-items/local-items.ts';
import { useAllItems } from './all-items/use-all-items.ts';

/** Parses a URL's query; its filters stay the same object while their text is unchanged. */
function useItemsQueryOf(search: URLSearchParams): ItemsQuery {
  const filterText = search.get('filter');
  const filters = useMemo(() => readFilters(filterText), [filterText]);
  return useMemo(() => ({ ...readQuery(search), filters }), [search, filters]);
}

/** The grid's query from the URL; loaded items answer it without the server if they can. */
export function useItemsQuery(
  masterid: string,
  [search, setSearch]: ReturnType<typeof useSearchParams>,
  page: ItemPage | null,
) {
  const { revalidate } = useRevalidator();
  const query = useItemsQueryOf(search);
  // Until then a standard view may still choose other columns, with which all items would be loaded again.
  const [known, setKnown] = useState(search.size > 0);
  if (!known && search.size > 0) setKnown(true);
  const all = useAllItems(masterid, page, columnsOf(query), known);
  const address = useAskedAddress();
  /** The query last requested, even while its items are loading: a click builds on the one before. */
  const requested = useMemo(() => readQuery(address), [address]);
  /** Returns the loaded items if they can answer the query. */
  const localRows = (wanted: ItemsQuery) =>
    all.rows !== null && isSelectable(all.rows, page?.fields ?? [], wanted) ? all.rows : null;
  /** Set until the server's next page: a navigation that needs no server would cancel the reload. */
  const stale = useRef(false);
  useEffect(() => {
    stale.current = false;
  }, [page]);
  /** The loaded items lack columns that were not shown when they were loaded. */
  const isLocal = (wanted: ItemsQuery) =>
    !stale.current && String(wanted.columns) === String(query.columns) && localRows(wanted) !== null;
  const canAnswer = useEffectEvent(isLocal);
  useEffect(() => answerLocally({ canAnswer: (wanted) => canAnswer(wanted), isStale: () => stale.current }), []);
  const goTo = (changed: Partial<ItemsQuery>, replace = false) => {
    const next = { ...requested, page: 0, ...changed };
    if (all.failure !== null) all.dismiss();
    const options = { preventScrollReset: true, replace };
    // Synchronously: a click right after it builds on the new URL.
    setSearch(
      writeQuery(next),
      isLocal(next) ? { ...options, defaultShouldRevalidate: false, flushSync: true } : options,
    );
  };
  const reload = async () => {
    stale.current = true;
    await revalidate();
  };
  const reset = async () => {
    all.restart();
    stale.current = true;
    setSearch({});
    await revalidate();
  };
  const viewKnown = () => setKnown(true);
  return { query, asked: requested, all, rows: localRows(query), goTo, reset, reload, viewKnown };
}
