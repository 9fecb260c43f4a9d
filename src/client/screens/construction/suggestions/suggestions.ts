import type { ConstructionRow, ConstructionTemplate, SourceSuggestion } from '#shared/construction/schema.ts';
import { isListRow, valueTypeOf } from '#shared/construction/schema.ts';
import { templateRow } from '#shared/channels/template-row.ts';
import { missingFields, unmappedRows } from '#client/screens/construction/groups.ts';

/** Suggestions for a row, the highest confidence first; a list may get several. `isNew`: a template field without a row. */
export type Offer = {
  readonly row: ConstructionRow;
  readonly found: readonly SourceSuggestion[];
  readonly isNew: boolean;
};

/** Minimum confidence for fields that have no row yet. */
const sureForNew = 0.85;

/** Returns the rows to request suggestions for: those without a value, and one for each template field without a row. */
export function askedRows(rows: readonly ConstructionRow[], template: ConstructionTemplate | null): ConstructionRow[] {
  const open = unmappedRows(rows);
  const more = template === null ? [] : missingFields(rows, template);
  return [...open, ...more.map((field, index) => ({ ...templateRow(field, `neu${index}`), field: [] }))].slice(0, 1000);
}

/** Returns the suggestions by row, in the order of the rows; rows of the same name share them. */
export function offersOf(
  rows: readonly ConstructionRow[],
  requested: readonly ConstructionRow[],
  suggestions: readonly SourceSuggestion[],
): Offer[] {
  const own = new Set(rows.map(({ id }) => id));
  const byName = Map.groupBy(suggestions, ({ exportfield }) => exportfield);
  return requested.flatMap((row): Offer[] => {
    const [best, ...more] = byName.get(row.exportfield) ?? [];
    const isNew = !own.has(row.id);
    if (best === undefined || (isNew && best.confidence < sureForNew)) return [];
    return [{ row, found: isListRow(row) ? [best, ...more] : [best], isNew }];
  });
}

const inOrder = new Intl.Collator('de-DE', { numeric: true });

/** Returns the row with its suggestions applied. A list gets all of them, sorted by name: Bild 2 before Bild 10. */
export function withOffer(row: ConstructionRow, { found }: Pick<Offer, 'found'>): ConstructionRow {
  const kind = valueTypeOf(row);
  const [best] = found;
  if (best === undefined) return row;
  if (kind === 'combine') return { ...row, field: [best.part] };
  if (!isListRow(row)) return { ...row, valuetype: 'field', field: [best.part] };
  const parts = found.map(({ part }) => part).toSorted((a, b) => inOrder.compare(a.value, b.value));
  return {
    ...row,
    field: parts.map((value) =>
      kind === 'array' ? { name: '', value } : { key: { type: '_string', value: value.caption }, value },
    ),
  };
}
