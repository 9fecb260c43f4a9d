import { useMemo } from 'react';
import type { Column, ItemPage, ItemRow } from '#shared/items/schema.ts';
import { type ItemsQuery, lastPage } from './items-query.ts';
import { selectLocally } from './all-items/local-items.ts';
import { useImageFilter } from './use-image-filter.ts';

type Source = {
  page: ItemPage | null;
  /** All items if the browser has loaded them; it then filters them itself. */
  all: readonly ItemRow[] | null;
  query: ItemsQuery;
  failed: boolean;
};

/** What the grid shows: the columns, the page's rows, and the total. */
export function useShownRows({ page, all, query, failed }: Source) {
  const columns = useMemo(() => withoutKeyTwice(page?.columns ?? []), [page]);
  const { search, filters, sort, direction } = query;
  // Changing the page or opening a card does not filter again: with a hundred thousand items that takes a while.
  const found = useMemo(
    () => (all === null ? null : selectLocally(all, columns, { search, filters, sort, direction })),
    [all, columns, search, filters, sort, direction],
  );
  const rows = useMemo(() => {
    // ITE-06: after a failed load no rows remain that could be mistaken for all of them.
    if (failed) return [];
    if (found === null) return page?.data ?? [];
    // An import may have removed the page that the user goes back to.
    const shown = Math.min(query.page, lastPage(found.length, query.size));
    return found.slice(shown * query.size, (shown + 1) * query.size);
  }, [failed, found, page, query]);
  const images = useImageFilter(rows, columns);
  const total = found?.length ?? page?.total ?? 0;
  const onePage = total <= query.size;
  return {
    columns,
    images,
    total,
    onPage: rows.length,
    /** The count shown: if everything is on one page, items without a picture are known and subtracted. */
    counted: onePage ? total - images.dropped : total,
    /** Rows of this page that are counted but not shown. */
    hidden: onePage ? 0 : images.dropped,
    /** The items in the grid's order, if the browser knows it better than the server. */
    inOrder: images.column === null ? found : images.rows,
  };
}

/** Removes the key field's own column, which would repeat the item number. */
function withoutKeyTwice(columns: readonly Column[]): readonly Column[] {
  const key = columns.find(({ id }) => id === '_id');
  return columns.filter((column) => column === key || column.name !== key?.name);
}
