import type { Master } from '#shared/masters/schema.ts';
import { lastUsedEntry, type LastUsed } from '#shared/http/cookies.ts';
import { type Page, pages } from '#shared/pages.ts';
import { pageAt } from '#client/address.ts';
import { writeCookie } from '#client/cookies.ts';

/** The catalogue and export that the navigation links to. */
export type Active = { master: Master | null; exportId: string | null };

export function rememberActive({ master, exportId }: Active): void {
  if (master !== null) writeCookie(...lastUsedEntry({ masterid: master.masterid, exportId: exportId ?? '' }));
}

/**
 * Returns the catalogue and export that the path names; failing that, the last used ones, then the first. An export or account
 * determines its catalogue.
 */
export function activeOf(
  masters: readonly Master[],
  params: { masterid?: string; id?: string },
  last: LastUsed,
): Active {
  const byExport = (id: string | undefined) =>
    masters.find(({ exports, accounts }) => [...exports, ...accounts].some((entry) => entry.id === id));
  const byId = (masterid: string | undefined) => masters.find((master) => master.masterid === masterid);
  const master = byId(params.masterid) ?? byExport(params.id) ?? byId(last.masterid) ?? masters[0] ?? null;
  const known = (id: string | undefined) => master?.exports.find((entry) => entry.id === id)?.id;
  return { master, exportId: known(params.id) ?? known(last.exportId) ?? master?.exports[0]?.id ?? null };
}

/** Returns the pages that show another catalogue or export: of the same kind as the one shown, if it has one. */
export function switchedPages(pathname: string): { ofMaster: Page; ofExport: Page } {
  const here = pageAt(pathname);
  return {
    ofMaster: here !== undefined && (here.menu === 'master' || here === pages.shopMappings) ? here : pages.items,
    ofExport: here?.menu === 'export' ? here : pages.export,
  };
}
