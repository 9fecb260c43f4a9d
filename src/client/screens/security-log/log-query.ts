import { securityKinds } from '#shared/http/call.ts';
import type { SecurityKind } from '#shared/http/call.ts';
import { readView, VIEW_PARAMETER } from '#client/saved-views/view-address.ts';
import { isDay } from '#client/ui/text/days.ts';
import { type SecurityResult, securityResults } from '#shared/account/security-log.ts';

/** Which events are listed; kept in the URL. */
export type LogQuery = {
  kind: SecurityKind | undefined;
  result: SecurityResult | undefined;
  person: string;
  from: string | undefined;
  to: string | undefined;
  /** Zero-based. */
  page: number;
  size: number;
  /** The saved view that this query started from. */
  savedView: string;
};

export const pageSizes = [25, 50, 100] as const;

export function readQuery(address: URLSearchParams): LogQuery {
  const number = (name: string) => Number(address.get(name) ?? '');
  const day = (name: string) => [address.get(name) ?? ''].find(isDay);
  const page = number('seite') - 1;
  return {
    kind: securityKinds.find((kind) => kind === address.get('art')),
    result: securityResults.find((result) => result === address.get('ergebnis')),
    person: (address.get('person') ?? '').slice(0, 200),
    from: day('von'),
    to: day('bis'),
    page: Number.isInteger(page) && page > 0 && page < 1_000_000 ? page : 0,
    size: pageSizes.find((size) => size === number('je')) ?? 50,
    savedView: readView(address),
  };
}

/** Returns the URL query; defaults are left out. */
export function writeQuery({ kind, result, person, from, to, page, size, savedView }: LogQuery): URLSearchParams {
  const address = new URLSearchParams();
  if (kind !== undefined) address.set('art', kind);
  if (result !== undefined) address.set('ergebnis', result);
  if (person !== '') address.set('person', person);
  if (from !== undefined) address.set('von', from);
  if (to !== undefined) address.set('bis', to);
  if (page > 0) address.set('seite', String(page + 1));
  if (size !== 50) address.set('je', String(size));
  if (savedView !== '') address.set(VIEW_PARAMETER, savedView);
  return address;
}

/** Returns the filters in the form that the call takes. */
export const filtersOf = ({ kind, result, person, from, to }: LogQuery) => ({
  person,
  ...(kind === undefined ? {} : { kind }),
  ...(result === undefined ? {} : { result }),
  ...(from === undefined ? {} : { from }),
  ...(to === undefined ? {} : { to }),
});

/** Returns the part of a query that a saved view stores. */
export const viewQuery = (query: LogQuery): URLSearchParams => writeQuery({ ...query, page: 0, savedView: '' });
