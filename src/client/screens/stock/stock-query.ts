import { type StockFilter, stockFilters } from '#shared/stock/schema.ts';
import { readView, VIEW_PARAMETER } from '#client/saved-views/view-address.ts';

/** Which articles are listed; kept in the URL. */
export type StockQuery = {
  /** '': the one used last. */
  master: string;
  filter: StockFilter;
  search: string;
  /** Zero-based. */
  page: number;
  size: number;
  /** The saved view that this query started from. */
  savedView: string;
};

export const pageSizes = [25, 50, 100] as const;
export const filterLabels: Readonly<Record<StockFilter, string>> = {
  alle: 'Alle',
  ausverkauft: 'Ausverkauft',
  knapp: 'Knapp',
  abweichend: 'Weicht ab',
};

export function readQuery(address: URLSearchParams): StockQuery {
  const number = (name: string) => Number(address.get(name) ?? '');
  const page = number('seite') - 1;
  return {
    master: (address.get('katalog') ?? '').slice(0, 40),
    filter: stockFilters.find((name) => name === address.get('filter')) ?? 'alle',
    search: (address.get('suche') ?? '').slice(0, 200),
    page: Number.isInteger(page) && page > 0 && page < 1_000_000 ? page : 0,
    size: pageSizes.find((size) => size === number('je')) ?? 50,
    savedView: readView(address),
  };
}

/** Returns the URL query; defaults are left out. */
export function writeQuery({ master, filter, search, page, size, savedView }: StockQuery): URLSearchParams {
  const address = new URLSearchParams();
  if (master !== '') address.set('katalog', master);
  if (filter !== 'alle') address.set('filter', filter);
  if (search !== '') address.set('suche', search);
  if (page > 0) address.set('seite', String(page + 1));
  if (size !== 50) address.set('je', String(size));
  if (savedView !== '') address.set(VIEW_PARAMETER, savedView);
  return address;
}

/** Returns the query for opening a saved view; a view without a catalogue, and „Ohne Ansicht“, keep the current one. */
export function openedQuery(view: URLSearchParams, savedView: string, shown: string): StockQuery {
  const query = readQuery(view);
  return { ...query, master: query.master === '' ? shown : query.master, savedView };
}

/** Returns the part of a query that a saved view stores. */
export const viewQuery = (query: StockQuery): URLSearchParams => writeQuery({ ...query, page: 0, savedView: '' });
