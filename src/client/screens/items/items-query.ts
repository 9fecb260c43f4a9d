import { readColumns, writeColumns } from '#shared/items/column-list.ts';
import { type ItemFilter, ItemFilters } from '#shared/items/schema.ts';
import { readView, VIEW_PARAMETER } from '#client/saved-views/view-address.ts';

/** State of the grid; kept in the URL, so a view can be shared and reloaded. */
export type ItemsQuery = {
  /** Zero-based here, counted from 1 in the URL. */
  page: number;
  size: number;
  sort: string | null;
  direction: 'asc' | 'desc';
  search: string;
  filters: readonly ItemFilter[];
  /** Ids of the shown fields; null: those that the company chose. */
  columns: readonly string[] | null;
  /** Ids of the fields whose facets are shown; null: the facets are closed. */
  facets: readonly string[] | null;
  /** The saved view that this query started from. */
  savedView: string;
};

export const pageSizes = [10, 25, 50, 100] as const;
const defaultSize = 50;

/** Parses a URL's query; invalid values become defaults. */
export function readQuery(search: URLSearchParams): ItemsQuery {
  const size = Number(search.get('je'));
  const page = Number(search.get('seite'));
  const columns = readColumns(search.get('spalten') ?? '');
  return {
    page: Number.isSafeInteger(page) && page > 1 && page < 1_000_000 ? page - 1 : 0,
    size: pageSizes.find((allowed) => allowed === size) ?? defaultSize,
    sort: search.get('sortierung'),
    direction: search.get('richtung') === 'ab' ? 'desc' : 'asc',
    search: (search.get('suche') ?? '').slice(0, 200),
    filters: readFilters(search.get('filter')),
    columns: columns.length === 0 ? null : columns,
    facets: search.has('facetten') ? readColumns(search.get('facetten') ?? '') : null,
    savedView: readView(search),
  };
}

/** Returns the last page that has rows, zero-based. */
export const lastPage = (total: number, size: number): number => Math.max(0, Math.ceil(total / size) - 1);

/** Returns the URL query; defaults are left out. */
export function writeQuery(query: ItemsQuery): URLSearchParams {
  const search = new URLSearchParams();
  if (query.page > 0) search.set('seite', String(query.page + 1));
  if (query.size !== defaultSize) search.set('je', String(query.size));
  if (query.sort !== null) search.set('sortierung', query.sort);
  if (query.sort !== null && query.direction === 'desc') search.set('richtung', 'ab');
  if (query.search !== '') search.set('suche', query.search);
  if (query.filters.length > 0) search.set('filter', JSON.stringify(query.filters));
  if (query.columns !== null) search.set('spalten', writeColumns(query.columns));
  if (query.facets !== null) search.set('facetten', writeColumns(query.facets));
  if (query.savedView !== '') search.set(VIEW_PARAMETER, query.savedView);
  return search;
}

/** Returns the selection of a query as the items calls take it, without the page. */
export function selectionOf(
  masterid: string,
  { sort, direction, search, filters }: Pick<ItemsQuery, 'sort' | 'direction' | 'search' | 'filters'>,
) {
  return {
    masterid,
    ...(sort === null ? {} : { sort, direction }),
    ...(search === '' ? {} : { search }),
    ...(filters.length === 0 ? {} : { filter: JSON.stringify(filters) }),
  };
}

/** Returns the columns parameter for the items calls. */
export const columnsOf = ({ columns }: Pick<ItemsQuery, 'columns'>) =>
  columns === null ? {} : { columns: writeColumns(columns) };

export function readFilters(text: string | null): readonly ItemFilter[] {
  if (text === null) return [];
  try {
    return ItemFilters.safeParse(JSON.parse(text)).data ?? [];
  } catch {
    return [];
  }
}
