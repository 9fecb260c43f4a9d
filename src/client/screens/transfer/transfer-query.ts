import { readView, VIEW_PARAMETER } from '#client/saved-views/view-address.ts';
import { transferPageSize, transferPageSizes, type TransferView } from '#shared/transfer/schema.ts';

/** State of the URL: the view, its page (zero-based), and the filters: part of the item number, key of a reason. */
export type TransferQuery = {
  view: TransferView;
  page: number;
  size: number;
  search: string;
  reason: string;
  /** The saved view that this query started from. */
  savedView: string;
};

const words = { list: '', ready: 'bereit', failure: 'fehlerhaft' } as const satisfies Record<TransferView, string>;

export function readQuery(search: URLSearchParams): TransferQuery {
  const shown = search.get('ansicht');
  const page = Number(search.get('seite'));
  const size = Number(search.get('je'));
  return {
    view: shown === words.ready ? 'ready' : shown === words.failure ? 'failure' : 'list',
    page: Number.isSafeInteger(page) && page > 1 && page < 1_000_000 ? page - 1 : 0,
    size: transferPageSizes.find((allowed) => allowed === size) ?? transferPageSize,
    search: (search.get('suche') ?? '').slice(0, 200),
    reason: (search.get('grund') ?? '').slice(0, 200),
    savedView: readView(search),
  };
}

/** Returns the URL query; defaults are left out. */
export function writeQuery({ view, page, size, search: text, reason, savedView }: TransferQuery): URLSearchParams {
  const search = new URLSearchParams();
  if (words[view] !== '') search.set('ansicht', words[view]);
  if (page > 0) search.set('seite', String(page + 1));
  if (size !== transferPageSize) search.set('je', String(size));
  if (text !== '') search.set('suche', text);
  if (reason !== '') search.set('grund', reason);
  if (savedView !== '') search.set(VIEW_PARAMETER, savedView);
  return search;
}

/** Returns the part of a query that a saved view stores. */
export const viewQuery = (query: TransferQuery): URLSearchParams => writeQuery({ ...query, page: 0, savedView: '' });

/** Tells whether the URL has no query for the table: the standard view may be applied. */
export const isUntouched = (query: TransferQuery): boolean => writeQuery(query).size === 0;
