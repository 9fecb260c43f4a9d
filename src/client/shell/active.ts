import type { Master } from '#shared/masters/schema.ts';
import { readCookie, writeCookie } from '#client/cookies.ts';

/** The catalogue and export the navigation leads to. */
export type Active = { master: Master | null; exportId: string | null };

const cookieName = 'kontor_zuletzt';

/** Reads what was last used, as `masterid.exportid`. */
export function lastUsedOf(cookies: string): { masterid: string; exportId: string } {
  const [masterid = '', exportId = ''] = readCookie(cookies, cookieName).split('.');
  return { masterid, exportId };
}

export function rememberActive({ master, exportId }: Active): void {
  if (master !== null) writeCookie(cookieName, `${master.masterid}.${exportId ?? ''}`);
}

/** The path decides; where it names nothing, the last one used; else the first. An export brings its catalogue along, so does an account. */
export function activeOf(
  masters: readonly Master[],
  params: { masterid?: string; id?: string },
  last: { masterid: string; exportId: string },
): Active {
  const byExport = (id: string | undefined) =>
    masters.find(({ exports, accounts }) => [...exports, ...accounts].some((entry) => entry.id === id));
  const byId = (masterid: string | undefined) => masters.find((master) => master.masterid === masterid);
  const master = byId(params.masterid) ?? byExport(params.id) ?? byId(last.masterid) ?? masters[0] ?? null;
  const known = (id: string | undefined) => master?.exports.find((entry) => entry.id === id)?.id;
  return { master, exportId: known(params.id) ?? known(last.exportId) ?? master?.exports[0]?.id ?? null };
}
