import { readView } from '#client/saved-views/view-address.ts';
import { type SellerColumn, sellerColumns, type SellerOrder } from './seller-rows.ts';

/** Filter and order of the table of competitors. */
export type SellerQuery = {
  readonly search: string;
  readonly order: SellerOrder;
  /** Zero-based. */
  readonly page: number;
  readonly size: number;
  /** The saved view that this query started from. */
  readonly savedView: string;
};

export const sellerPageSizes = [25, 50, 100, 200] as const;
const usual = { by: 'total_count', size: 100 } as const;

/** Parameter names in the URL, with a prefix: the dashboard and its lists of articles have their own. */
const names = { search: 'h.suche', sort: 'h.sort', page: 'h.seite', size: 'h.je', savedView: 'h.gespeichert' } as const;

/** Parses a URL's query; invalid values become defaults. */
export function readSellerQuery(address: URLSearchParams): SellerQuery {
  const value = (name: keyof typeof names) => address.get(names[name]) ?? '';
  const page = Number(value('page'));
  return {
    search: value('search').slice(0, 200),
    order: readOrder(value('sort')),
    page: Number.isSafeInteger(page) && page > 1 ? page - 1 : 0,
    size: sellerPageSizes.find((size) => String(size) === value('size')) ?? usual.size,
    savedView: readView(address, names.savedView),
  };
}

function readOrder(text: string): SellerOrder {
  const by: SellerColumn | undefined = sellerColumns.find((column) => column === text.replace(/^-/, ''));
  return by === undefined ? { by: usual.by, descending: true } : { by, descending: text.startsWith('-') };
}

/** Returns the URL's query with this one in it; defaults are left out, and other parameters stay. */
export function writeSellerQuery(address: URLSearchParams, query: SellerQuery): URLSearchParams {
  const next = new URLSearchParams(address);
  const put = (name: keyof typeof names, text: string) => {
    if (text === '') next.delete(names[name]);
    else next.set(names[name], text);
  };
  const { search, order, page, size, savedView } = query;
  put('search', search.trim());
  put('sort', order.by === usual.by && order.descending ? '' : `${order.descending ? '-' : ''}${order.by}`);
  put('page', page === 0 ? '' : String(page + 1));
  put('size', size === usual.size ? '' : String(size));
  put('savedView', savedView);
  return next;
}

/** Returns the part of a query that a saved view stores. */
export const viewQuery = (query: SellerQuery): URLSearchParams =>
  writeSellerQuery(new URLSearchParams(), { ...query, page: 0, savedView: '' });
