import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';

/** What of an item is to be explained: in which export (none: the catalogue), one field of it, in a past run. */
export type Explained = { exportId?: string | null; field?: string | null; runid?: string | null };

/** The address at which an item, or one of its fields, is explained. */
export function explainPath(masterid: string, itemid: string, { exportId, field, runid }: Explained = {}): string {
  const search = new URLSearchParams();
  if (exportId) search.set('export', exportId);
  if (field) search.set('feld', field);
  if (exportId && runid) search.set('lauf', runid);
  const text = search.toString();
  return pathTo(pages.explain, { masterid, itemid }) + (text === '' ? '' : `?${text}`);
}
