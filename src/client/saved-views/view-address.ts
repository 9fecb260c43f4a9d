/** Which saved view a URL shows: its id, NO_VIEW if the user wants none although there is a standard view, '' if absent. */
export const VIEW_PARAMETER = 'gespeichert';
export const NO_VIEW = 'ohne';

export const readView = (address: URLSearchParams, name: string = VIEW_PARAMETER): string =>
  (address.get(name) ?? '').slice(0, 40);

/** Tells whether two queries are equal, regardless of the order of their parameters. */
export function sameQuery(one: URLSearchParams, other: URLSearchParams): boolean {
  const sorted = (query: URLSearchParams) => {
    const copy = new URLSearchParams(query);
    copy.sort();
    return copy.toString();
  };
  return sorted(one) === sorted(other);
}
