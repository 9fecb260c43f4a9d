import { api } from '#shared/http/api.ts';
import { type ItemRow, MOST_IMAGES } from '#shared/items/schema.ts';
import { call } from '#client/call.ts';

/**
 * ITE-05: returns the items whose picture exists. The server checks by HEAD: other hosts seldom allow that to scripts (CORS), and
 * our own content policy forbids it. Recent results are cached by the server.
 */
export async function itemsWithImages(
  masterid: string,
  rows: readonly ItemRow[],
  field: string,
  signal: AbortSignal,
): Promise<Set<string>> {
  const ids = rows.flatMap((row) => ((row[field] ?? '').trim() === '' ? [] : [row['_id'] ?? '']));
  const good = new Set<string>();
  for (let from = 0; from < ids.length; from += MOST_IMAGES) {
    const body = { masterid, field, ids: ids.slice(from, from + MOST_IMAGES) };
    const { valid } = await call(api.itemImages, { body, signal });
    for (const id of valid) good.add(id);
  }
  return good;
}
