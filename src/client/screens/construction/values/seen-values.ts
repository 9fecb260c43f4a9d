import type { ConstructionRow } from '#shared/construction/schema.ts';

/** What a row gave for the first items: one value, and the longest with the item that has it. */
export type Seen = { readonly example: string; readonly longest: { length: number; itemid: string } };
type Previewed = {
  readonly columns: readonly string[];
  readonly ids: readonly string[];
  readonly data: readonly (readonly (string | null)[])[];
};

/** The preview's values by row; a row without any has none. `rows` are those that the preview was asked with. */
export function seenValues(rows: readonly ConstructionRow[], { columns, ids, data }: Previewed): Map<string, Seen> {
  const named = rows.filter(({ exportfield }) => exportfield !== '');
  // Without any source the export passes the catalogue's own fields on: those are not the rows'.
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
