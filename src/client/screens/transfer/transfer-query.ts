import { readView, VIEW_PARAMETER } from '#client/saved-views/view-address.ts';
import { transferPageSize, transferPageSizes, type TransferView } from '#shared/transfer/schema.ts';

/** What the address says: which view is shown, which page of it (zero-based), and which items: part of their number, key of a reason. */
export type TransferQuery = {
  view: TransferView;
  page: number;
  size: number;
  search: string;
  reason: string;
  /** The saved view that this began with. */
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

/** The part of an address that says the same; defaults are left out. */
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

/** What a saved view keeps of a query. */
export const viewQuery = (query: TransferQuery): URLSearchParams => writeQuery({ ...query, page: 0, savedView: '' });

/** Whether the address says nothing of the table: it may begin with the standard view. */
export const isUntouched = (query: TransferQuery): boolean => writeQuery(query).size === 0;
