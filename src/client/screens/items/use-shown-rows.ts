import { useMemo } from 'react';
import type { Column, ItemPage, ItemRow } from '#shared/items/schema.ts';
import type { ItemsQuery } from './items-query.ts';
import { selectLocally } from './all-items/local-items.ts';
import { useImageFilter } from './use-image-filter.ts';

type Source = {
  page: ItemPage | null;
  /** All items, where the browser has loaded them; it selects among them itself. */
  all: readonly ItemRow[] | null;
  query: ItemsQuery;
  failed: boolean;
};

/** What the grid shows: the columns, the rows of the page, and how many there are. */
export function useShownRows({ page, all, query, failed }: Source) {
  const columns = useMemo(() => withoutKeyTwice(page?.columns ?? []), [page]);
  const { search, filters, sort, direction } = query;
  // Neither another page nor an open card selects anew: among a hundred thousand items that takes a while.
  const found = useMemo(
    () => (all === null ? null : selectLocally(all, columns, { search, filters, sort, direction })),
    [all, columns, search, filters, sort, direction],
  );
  const rows = useMemo(() => {
    // ITE-06: after a failed load no rows are left that might pass for all of them.
    if (failed) return [];
    return found?.slice(query.page * query.size, (query.page + 1) * query.size) ?? page?.data ?? [];
  }, [failed, found, page, query]);
  const images = useImageFilter(rows);
  const total = found?.length ?? page?.total ?? 0;
  const onePage = total <= query.size;
  return {
    columns,
    images,
    total,
    onPage: rows.length,
    /** What is counted: where all are on one page, those without a picture are known and left out. */
    counted: onePage ? total - images.dropped : total,
    /** Of the rows of this page so many are not shown, though counted. */
    hidden: onePage ? 0 : images.dropped,
    /** The items in the order of the grid, where the browser knows it better than the server. */
    inOrder: images.column === null ? found : images.rows,
  };
}

/** The key field is the item number already; shown once more under its own name it would only take room. */
function withoutKeyTwice(columns: readonly Column[]): readonly Column[] {
  const key = columns.find(({ id }) => id === '_id');
  return columns.filter((column) => column === key || column.name !== key?.name);
}
