import type { Facet } from '#shared/items/facets.ts';

/** Number of items with a value of this length in characters. */
export type LengthCount = { readonly length: number; readonly items: number };

/** Returns the shortest and the longest of lengths in ascending order, and which items are unusually long. */
export function summarizeLengths(counts: readonly LengthCount[]): Pick<Facet, 'lengths' | 'unusuallyLong'> {
  const [first, last] = [counts[0], counts.at(-1)];
  if (first === undefined || last === undefined) return { lengths: null, unusuallyLong: null };
  const over = Math.max(percentile(counts, 0.99), 2 * percentile(counts, 0.5));
  const items = counts.filter(({ length }) => length > over).reduce((sum, one) => sum + one.items, 0);
  return {
    lengths: { shortest: first.length, longest: last.length },
    unusuallyLong: items === 0 ? null : { over, items },
  };
}

/** Returns the smallest length that this share of the items does not exceed. */
function percentile(counts: readonly LengthCount[], share: number): number {
  const all = counts.reduce((sum, { items }) => sum + items, 0);
  let before = 0;
  for (const { length, items } of counts) {
    before += items;
    if (before >= share * all) return length;
  }
  return counts.at(-1)?.length ?? 0;
}
