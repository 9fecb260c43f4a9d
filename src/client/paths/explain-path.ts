import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';

/** What to explain of an item: its export (absent: the catalogue itself), optionally one field and a past run. */
export type Explained = { exportId?: string | null; field?: string | null; runid?: string | null };

/** Returns the address at which an item, or one of its fields, is explained. */
export function explainPath(masterid: string, itemid: string, { exportId, field, runid }: Explained = {}): string {
  const search = new URLSearchParams();
  if (exportId) search.set('export', exportId);
  if (field) search.set('feld', field);
  if (exportId && runid) search.set('lauf', runid);
  const text = search.toString();
  return pathTo(pages.explain, { masterid, itemid }) + (text === '' ? '' : `?${text}`);
}
