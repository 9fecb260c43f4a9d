import { readView } from '#client/saved-views/view-address.ts';
import {
  articleColumns,
  type ArticleColumnId,
} from '#client/screens/repricer/dashboard/articles/list/article-columns.ts';

export type BoxFilter = 'all' | 'yes' | 'no';

/** Filters and order of a list of articles. */
export type ArticleQuery = {
  readonly search: string;
  /** Whether we hold the buy box, and whether the competitor does. */
  readonly ownBox: BoxFilter;
  readonly rivalBox: BoxFilter;
  readonly sort: ArticleColumnId;
  readonly direction: 'asc' | 'desc';
  /** Zero-based. */
  readonly page: number;
  readonly size: number;
  /** Key of the expanded row, '' for none. */
  readonly opened: string;
  /** The saved view that this query started from. */
  readonly savedView: string;
};

export const articlePageSizes = [25, 50, 100, 200] as const;

export const firstQuery: ArticleQuery = {
  search: '',
  ownBox: 'all',
  rivalBox: 'all',
  sort: '_id',
  direction: 'asc',
  page: 0,
  size: 100,
  opened: '',
  savedView: '',
};

/** Parameter names in the URL, with a prefix: the dashboard's tabs have their own. */
const names = {
  search: 'a.suche',
  ownBox: 'a.eigene',
  rivalBox: 'a.gegner',
  sort: 'a.sort',
  page: 'a.seite',
  size: 'a.je',
  opened: 'a.offen',
  savedView: 'a.gespeichert',
} as const;
const boxes = { yes: 'ja', no: 'nein' } as const;

/** URL changes that clear every search, filter and order: another list starts with none (RDA-05). */
export const unsetArticleQuery: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(names).map((name) => [name, '']),
);

/** Parses a URL's query; invalid values become defaults. */
export function readArticleQuery(address: URLSearchParams): ArticleQuery {
  const value = (name: keyof typeof names) => address.get(names[name]) ?? '';
  const box = (name: 'ownBox' | 'rivalBox') => (['yes', 'no'] as const).find((one) => boxes[one] === value(name));
  const sort = value('sort');
  const page = Number(value('page'));
  return {
    search: value('search').slice(0, 200),
    ownBox: box('ownBox') ?? 'all',
    rivalBox: box('rivalBox') ?? 'all',
    sort: articleColumns.find(({ id }) => id === sort.replace(/^-/, ''))?.id ?? firstQuery.sort,
    direction: sort.startsWith('-') ? 'desc' : 'asc',
    page: Number.isSafeInteger(page) && page >= 1 ? page - 1 : 0,
    size: articlePageSizes.find((size) => String(size) === value('size')) ?? firstQuery.size,
    opened: value('opened').slice(0, 700),
    savedView: readView(address, names.savedView),
  };
}

/** Returns the URL's query with this one in it; defaults are left out, and other parameters stay. */
export function writeArticleQuery(address: URLSearchParams, query: ArticleQuery): URLSearchParams {
  const next = new URLSearchParams(address);
  const put = (name: keyof typeof names, text: string) => {
    if (text === '') next.delete(names[name]);
    else next.set(names[name], text);
  };
  const { search, ownBox, rivalBox, sort, direction, page, size, opened, savedView } = query;
  put('search', search.trim());
  put('ownBox', ownBox === 'all' ? '' : boxes[ownBox]);
  put('rivalBox', rivalBox === 'all' ? '' : boxes[rivalBox]);
  put('sort', sort === firstQuery.sort && direction === 'asc' ? '' : `${direction === 'desc' ? '-' : ''}${sort}`);
  put('page', page === 0 ? '' : String(page + 1));
  put('size', size === firstQuery.size ? '' : String(size));
  put('opened', opened);
  put('savedView', savedView);
  return next;
}

/** Returns the part of a query that a saved view stores: neither the page nor the expanded row. */
export const viewQuery = (query: ArticleQuery): URLSearchParams =>
  writeArticleQuery(new URLSearchParams(), { ...query, page: 0, opened: '', savedView: '' });
