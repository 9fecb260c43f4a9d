import { useSearchParams } from 'react-router';
import { severityNames, type Severity } from '#shared/channels/schema.ts';

const names = { severity: 'schwere', field: 'feld', run: 'lauf', item: 'artikel' } as const;
type Name = keyof typeof names;

/** What of a diagnosis is shown; everything stands in the address, so that it can be shared. */
export type DiagnosisQuery = {
  severity: Severity | null;
  field: string | null;
  run: string | null;
  item: string | null;
};

export function readQuery(search: URLSearchParams): DiagnosisQuery {
  const severity = search.get(names.severity);
  return {
    severity: severityNames.find((name) => name === severity) ?? null,
    field: search.get(names.field) || null,
    run: search.get(names.run) || null,
    item: search.get(names.item) || null,
  };
}

export function useDiagnosisQuery(): [DiagnosisQuery, (name: Name, value: string | null) => void] {
  const [search, setSearch] = useSearchParams();
  const put = (name: Name, value: string | null) =>
    setSearch(
      (now) => {
        const next = new URLSearchParams(now);
        if (value === null) next.delete(names[name]);
        else next.set(names[name], value);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  return [readQuery(search), put];
}
