/** What to explain of an item, as in the URL (see explain-path.ts). */
export type ExplainQuery = { exportId: string | null; field: string | null; runid: string | null };

/** Parses the query. A run belongs to an export; without one it is ignored. */
export function readQuery(search: URLSearchParams): ExplainQuery {
  const read = (name: string) => {
    const value = search.get(name) ?? '';
    return value === '' ? null : value;
  };
  const exportId = read('export');
  return { exportId, field: read('feld'), runid: exportId === null ? null : read('lauf') };
}
