import { lineStateNames, type LineState } from './lines.ts';

const names = { state: 'zeilen', search: 'suche' } as const;
const MOST_CHARACTERS = 200;

/** Which rows of an assignment table to show, as encoded in the URL. */
export type LinesQuery = { state: LineState; search: string };

export function readLines(address: URLSearchParams): LinesQuery {
  const state = address.get(names.state);
  return {
    state: lineStateNames.find((name) => name === state) ?? 'all',
    search: (address.get(names.search) ?? '').slice(0, MOST_CHARACTERS),
  };
}

/** Returns the URL query for this; defaults are left out. */
export function linesQuery({ state, search }: LinesQuery): URLSearchParams {
  const query = new URLSearchParams();
  if (state !== 'all') query.set(names.state, state);
  if (search.trim() !== '') query.set(names.search, search.slice(0, MOST_CHARACTERS));
  return query;
}

/** Returns an address with these row parameters replaced; all others stay. */
export function withLines(address: URLSearchParams, query: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(address);
  for (const name of Object.values(names)) next.delete(name);
  for (const [name, value] of linesQuery(readLines(query))) next.set(name, value);
  return next;
}
