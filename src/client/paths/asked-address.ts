import { useMemo } from 'react';
import { useLocation, useNavigation } from 'react-router';

type Place = { pathname: string; search: string };

/** The query of the navigation under way if it stays on this screen, else of the screen as it is shown. */
export const askedSearch = (shown: Place, coming: Place | undefined): string =>
  coming?.pathname === shown.pathname ? coming.search : shown.search;

/**
 * The address as it was asked for last, also while its data is on its way. A filter, a page or a search changes this one: built on
 * the address that is shown, it would take back the change before it.
 */
export function useAskedAddress(): URLSearchParams {
  const search = askedSearch(useLocation(), useNavigation().location);
  return useMemo(() => new URLSearchParams(search), [search]);
}
