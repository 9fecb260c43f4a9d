import type { Master } from '#shared/masters/schema.ts';
import { lastUsedEntry, type LastUsed } from '#shared/http/cookies.ts';
import { writeCookie } from '#client/cookies.ts';

/** The catalogue and export the navigation leads to. */
export type Active = { master: Master | null; exportId: string | null };

export function rememberActive({ master, exportId }: Active): void {
  if (master !== null) writeCookie(...lastUsedEntry({ masterid: master.masterid, exportId: exportId ?? '' }));
}

/** The path decides; where it names nothing, the last one used; else the first. An export brings its catalogue along, so does an account. */
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
