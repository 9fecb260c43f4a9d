import { type OrderFilter, orderFilters } from '#shared/orders/schema.ts';
import { readView, VIEW_PARAMETER } from '#client/saved-views/view-address.ts';

/** Which orders are listed; kept in the URL. */
export type OrdersQuery = {
  filter: OrderFilter;
  search: string;
  /** '' for all. */
  channel: string;
  /** Orders that hold exactly this article of this catalogue; null for all. */
  article: { masterid: string; item: string } | null;
  /** Zero-based. */
  page: number;
  size: number;
  /** The saved view that this query started from. */
  savedView: string;
};

export const pageSizes = [25, 50, 100] as const;
const usual = { filter: 'offen', size: 50 } as const;

export function readQuery(address: URLSearchParams): OrdersQuery {
  const number = (name: string) => Number(address.get(name) ?? '');
  const [masterid, item] = [address.get('katalog') ?? '', address.get('artikel') ?? ''];
  const page = number('seite') - 1;
  return {
    filter: orderFilters.find((name) => name === address.get('filter')) ?? usual.filter,
    search: (address.get('suche') ?? '').slice(0, 200),
    channel: (address.get('kanal') ?? '').slice(0, 40),
    article: masterid === '' || item === '' ? null : { masterid: masterid.slice(0, 40), item: item.slice(0, 2000) },
    page: Number.isInteger(page) && page > 0 && page < 1_000_000 ? page : 0,
    size: pageSizes.find((size) => size === number('je')) ?? usual.size,
    savedView: readView(address),
  };
}

/** Returns the URL query; defaults are left out. */
export function writeQuery({ filter, search, channel, article, page, size, savedView }: OrdersQuery): URLSearchParams {
  const address = new URLSearchParams();
  if (filter !== usual.filter) address.set('filter', filter);
  if (search !== '') address.set('suche', search);
  if (channel !== '') address.set('kanal', channel);
  if (article !== null) {
    address.set('katalog', article.masterid);
    address.set('artikel', article.item);
  }
  if (page > 0) address.set('seite', String(page + 1));
  if (size !== usual.size) address.set('je', String(size));
  if (savedView !== '') address.set(VIEW_PARAMETER, savedView);
  return address;
}

/** Returns the list's part of a URL query, so that an order's page leads back to the same list. */
export function listedBy(address: URLSearchParams): string {
  const text = writeQuery(readQuery(address)).toString();
  return text === '' ? '' : `?${text}`;
}

/** Returns the part of a query that a saved view stores. */
export const viewQuery = (query: OrdersQuery): URLSearchParams =>
  writeQuery({ ...query, article: null, page: 0, savedView: '' });
