import { lineStateNames, type LineState } from './lines.ts';

const names = { state: 'zeilen', search: 'suche' } as const;
const MOST_CHARACTERS = 200;

/** Which rows of a table of assignments somebody looks for, as the address says it. */
export type LinesQuery = { state: LineState; search: string };

export function readLines(address: URLSearchParams): LinesQuery {
  const state = address.get(names.state);
  return {
    state: lineStateNames.find((name) => name === state) ?? 'all',
    search: (address.get(names.search) ?? '').slice(0, MOST_CHARACTERS),
  };
}

/** The part of an address that says the same; defaults are left out. */
export function linesQuery({ state, search }: LinesQuery): URLSearchParams {
  const query = new URLSearchParams();
  if (state !== 'all') query.set(names.state, state);
  if (search.trim() !== '') query.set(names.search, search.slice(0, MOST_CHARACTERS));
  return query;
}

/** An address that says another part of the rows; everything else in it stays. */
export function withLines(address: URLSearchParams, query: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(address);
  for (const name of Object.values(names)) next.delete(name);
  for (const [name, value] of linesQuery(readLines(query))) next.set(name, value);
  return next;
}
