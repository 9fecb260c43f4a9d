/** ATT-03. */
export const pageSize = 20;

/** State of the URL: the category whose items are shown, and the page (zero-based). */
export type AttributesQuery = { cat: string; typ: string; page: number };

/** Tells whether two queries select the same category, on whatever page. */
export const sameGroup = (one: AttributesQuery, other: AttributesQuery): boolean =>
  one.cat === other.cat && one.typ === other.typ;

export function readQuery(search: URLSearchParams): AttributesQuery {
  const page = Number(search.get('seite') ?? 1);
  return {
    cat: search.get('kategorie') ?? '',
    typ: search.get('typ') ?? '',
    page: Number.isInteger(page) && page > 0 && page < 1_000_000 ? page - 1 : 0,
  };
}

export function writeQuery({ cat, typ, page }: AttributesQuery): string {
  const search = new URLSearchParams();
  if (cat !== '') search.set('kategorie', cat);
  if (typ !== '') search.set('typ', typ);
  if (page > 0) search.set('seite', String(page + 1));
  const text = search.toString();
  return text === '' ? '.' : `?${text}`;
}
