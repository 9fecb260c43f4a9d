import { useMemo } from 'react';
import { useLocation, useNavigation } from 'react-router';

type Place = { pathname: string; search: string };

/** Returns the query of the pending navigation if it stays on this screen, else that of the current address. */
export const askedSearch = (shown: Place, coming: Place | undefined): string =>
  coming?.pathname === shown.pathname ? coming.search : shown.search;

/**
 * Returns the query last requested, even while its data is loading. Filters, pages and searches must change this one: based on
 * the current address, they would revert the change before.
 */
export function useAskedAddress(): URLSearchParams {
  const search = askedSearch(useLocation(), useNavigation().location);
  return useMemo(() => new URLSearchParams(search), [search]);
}
