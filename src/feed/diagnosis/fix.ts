import { INTERNAL_FIELDS, type Mapping } from '#shared/assignments/schema.ts';
import type { ConstructionRow } from '#shared/construction/schema.ts';
import type { Fix } from '#shared/diagnosis/schema.ts';
import { runningMappings } from '#feed/stages/assignments/tables.ts';
import { usedParts } from '#feed/stages/construction/fields.ts';
import type { FoundProblem } from '#feed/stages/validation/record.ts';

/** Problems of the notation in the file, independent of the value. */
const ofFormat: ReadonlySet<string> = new Set(['price_spelling', 'number_mark', 'html']);
/** Problems of how values are combined. */
const ofRow: ReadonlySet<string> = new Set(['separator', 'too_many', 'no_unit']);

/** A field of the export with a problem. `kind` '': only the channel knows the kind. */
export type Blamed = Pick<FoundProblem, 'field' | 'rowId' | 'sample'> & { readonly kind: string };

/**
 * Where a problem can be fixed in the current construction: the row itself if it has no source or a fixed value, else what fills
 * the source. If rules wrote the field, the link leads to the explanation of an item with the problem.
 */
export function fixOf(
  { kind, field, rowId, sample }: Blamed,
  { construction, mappings }: { construction: readonly ConstructionRow[]; mappings: readonly Mapping[] },
): Fix {
  if (ofFormat.has(kind)) return { kind: 'settings' };
  const row = construction.find(({ id }) => id === rowId);
  const here: Fix = { kind: 'construction', rowId: row?.id ?? null, field };
  // Without rows every field is exported under its own name.
  if (!row) return construction.length === 0 && rowId !== null ? { kind: 'explain', itemid: sample, field } : here;
  const parts = usedParts(row).filter(({ value }) => value.trim() !== '');
  const source = parts.find(({ type }) => type !== '_string' && type !== '_default');
  if (!source || ofRow.has(kind)) return here;
  if (source.type === '_mapping') {
    const mapping = runningMappings(mappings).find(({ name }) => name === source.value);
    return mapping ? { kind: 'mapping', mappingid: mapping.id } : here;
  }
  const made = INTERNAL_FIELDS.find(({ value }) => value === source.value);
  if (source.type === '_intern' && made && 'from' in made && made.from !== 'order' && made.from !== 'stock')
    return { kind: 'table', table: made.from };
  return { kind: 'explain', itemid: sample, field };
}
