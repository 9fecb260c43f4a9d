import type { ShouldRevalidateFunctionArgs } from 'react-router';
import type { Mapping } from '#shared/assignments/schema.ts';
import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';

/** Returns the address of a mapping; without an id, of the list. */
export function mappingPath(kind: Mapping['kind'], masterid: string, mappingid?: string): string {
  const page = kind === 'value' ? pages.mappings : pages.shopMappings;
  return pathTo(page, mappingid === undefined ? { masterid } : { masterid, mappingid });
}

/** Selecting another mapping of the same list needs no reload. */
export function stayOnSelection({
  currentParams,
  nextParams,
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  const sameList = currentParams['masterid'] === nextParams['masterid'] && currentUrl.pathname !== nextUrl.pathname;
  return sameList ? false : defaultShouldRevalidate;
}
