import type { ConstructionRow } from '#shared/construction/schema.ts';

/** A row's values for the first items: one value, and the longest with its item. */
export type Seen = { readonly example: string; readonly longest: { length: number; itemid: string } };
type Previewed = {
  readonly columns: readonly string[];
  readonly ids: readonly string[];
  readonly data: readonly (readonly (string | null)[])[];
};

/** Returns the preview's values by row; rows without values are left out. `rows`: those that the preview was requested with. */
export function seenValues(rows: readonly ConstructionRow[], { columns, ids, data }: Previewed): Map<string, Seen> {
  const named = rows.filter(({ exportfield }) => exportfield !== '');
  // Without any source the export outputs the catalogue's own fields: those do not belong to the rows.
  const own = named.length === columns.length && named.every((row, index) => row.exportfield === columns[index]);
  const seen = new Map<string, Seen>();
  if (!own) return seen;
  named.forEach((row, column) => {
    const values = data.map((cells, index) => ({ text: cells[column] ?? '', itemid: ids[index] ?? '' }));
    const filled = values.filter(({ text }) => text !== '');
    const [first] = filled;
    if (first === undefined) return;
    const lengths = filled.map(({ text, itemid }) => ({ length: Array.from(text).length, itemid }));
    const longest = lengths.reduce((most, one) => (one.length > most.length ? one : most));
    seen.set(row.id, { example: first.text, longest });
  });
  return seen;
}
