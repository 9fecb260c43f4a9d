/** Which saved view an address shows: its id, NO_VIEW where somebody wants none though one is the standard, '' where nothing is said. */
export const VIEW_PARAMETER = 'gespeichert';
export const NO_VIEW = 'ohne';

export const readView = (address: URLSearchParams, name: string = VIEW_PARAMETER): string =>
  (address.get(name) ?? '').slice(0, 40);

/** Whether two queries ask for the same, whatever the order of their parts. */
export function sameQuery(one: URLSearchParams, other: URLSearchParams): boolean {
  const sorted = (query: URLSearchParams) => {
    const copy = new URLSearchParams(query);
    copy.sort();
    return copy.toString();
  };
  return sorted(one) === sorted(other);
}
