import { useSearchParams } from 'react-router';
import { severityNames, type Severity } from '#shared/channels/schema.ts';
import { readView, VIEW_PARAMETER } from '#client/saved-views/view-address.ts';

const names = { severity: 'schwere', field: 'feld', order: 'reihenfolge', run: 'lauf', item: 'artikel' } as const;
type Name = keyof typeof names;
/** The order of problems, by its name in the URL; '': the most severe and frequent first. */
export const problemOrders = ['', 'artikel', 'gewinn', 'feld'] as const;
export type ProblemOrder = (typeof problemOrders)[number];

/** View of a diagnosis; kept in the URL, so that it can be shared. */
export type DiagnosisQuery = {
  severity: Severity | null;
  field: string | null;
  order: ProblemOrder;
  run: string | null;
  item: string | null;
  /** The saved view that this query started from. */
  savedView: string;
};

export function readQuery(search: URLSearchParams): DiagnosisQuery {
  const severity = search.get(names.severity);
  return {
    severity: severityNames.find((name) => name === severity) ?? null,
    field: search.get(names.field) || null,
    order: problemOrders.find((order) => order === search.get(names.order)) ?? '',
    run: search.get(names.run) || null,
    item: search.get(names.item) || null,
    savedView: readView(search),
  };
}

/** Returns what a saved view stores: filters and order, which fit the problems of every run. */
export function viewQuery({
  severity,
  field,
  order,
}: Pick<DiagnosisQuery, 'severity' | 'field' | 'order'>): URLSearchParams {
  const search = new URLSearchParams();
  if (severity !== null) search.set(names.severity, severity);
  if (field !== null) search.set(names.field, field);
  if (order !== '') search.set(names.order, order);
  return search;
}

/** Returns an address with the filters of a view; run and item stay. */
export function withView(address: URLSearchParams, view: URLSearchParams, id: string): URLSearchParams {
  const next = viewQuery(readQuery(view));
  for (const name of [names.run, names.item]) {
    const value = address.get(name);
    if (value !== null) next.set(name, value);
  }
  if (id !== '') next.set(VIEW_PARAMETER, id);
  return next;
}

export function useDiagnosisQuery(): [DiagnosisQuery, (name: Name, value: string | null) => void] {
  const [search, setSearch] = useSearchParams();
  const put = (name: Name, value: string | null) =>
    setSearch(
      (now) => {
        const next = new URLSearchParams(now);
        if (value === null || value === '') next.delete(names[name]);
        else next.set(names[name], value);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  return [readQuery(search), put];
}
