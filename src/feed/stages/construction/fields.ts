import { sourceKey } from '#engine/ir/source-key.ts';
import { ITEM_ID } from '#shared/rules/check.ts';
import { ConstructionRow, partOf, usedEntries, type SourcePart } from '#shared/construction/schema.ts';

/** A value for the items whose fields (by their keys in the relation) match `where`. */
export type ValueCase = {
  readonly where: readonly { readonly key: string; readonly value: string }[];
  readonly row: ConstructionRow;
};

/** A field of the export: made by its row or, if that has no source, by the first case that holds. */
export type ExportField = { readonly row: ConstructionRow; readonly cases: readonly ValueCase[] };

/**
 * The fields of the export in the order of the rows, followed by those that only cases give a value (`cases` by field name). Rows
 * without a name are left out. Two rows may have the same name: some channels take repeated columns.
 */
export function exportFields(
  rows: readonly ConstructionRow[],
  cases: ReadonlyMap<string, readonly ValueCase[]> = new Map(),
): ExportField[] {
  const named = rows.filter((row) => row.exportfield !== '');
  const names = new Set(named.map(({ exportfield }) => exportfield));
  const more = [...cases].filter(([target]) => !names.has(target));
  return [
    ...named.map((row) => ({ row, cases: hasSource(row) ? [] : (cases.get(row.exportfield) ?? []) })),
    ...more.flatMap(([, group]) => group.slice(0, 1).map(({ row }) => ({ row: { ...row, field: [] }, cases: group }))),
  ];
}

/** The row that makes the field's value for one item; `value` returns the item's value of a key. */
export function rowForItem({ row, cases }: ExportField, value: (key: string) => string | null): ConstructionRow {
  const found = cases.find(({ where }) => where.every((one) => value(one.key) === one.value));
  return found ? { ...row, valuetype: found.row.valuetype, field: found.row.field } : row;
}

/** The keys under which items hold the sources of a field: fields, results of mappings, internal fields. */
export function fieldReads({ row, cases }: ExportField): string[] {
  return [...rowReads(row), ...cases.flatMap((one) => [...one.where.map(({ key }) => key), ...rowReads(one.row)])];
}

/** Whether the row has a source. */
export const hasSource = (row: ConstructionRow) => usedParts(row).some(({ value }) => value !== '');

/** Whether any row has a source: a template that no user has filled in yet is no construction. */
export const hasSources = (rows: readonly ConstructionRow[]): boolean =>
  rows.some((row) => row.exportfield !== '' && hasSource(row));

/** The rows of an export without a construction: every field under its own name. */
export function passThrough(fieldNames: readonly string[]): ConstructionRow[] {
  return fieldNames.map((field, index) =>
    ConstructionRow.parse({
      id: String(index),
      field: [{ type: '_field', value: field, caption: field }],
      exportfield: field,
      valuetype: 'field',
    }),
  );
}

/** The parts that make a row's value. */
export const usedParts = (row: ConstructionRow): SourcePart[] => usedEntries(row).map(partOf);

/** The keys under which items hold the sources of a row. */
export function rowReads(row: ConstructionRow): string[] {
  return usedParts(row).flatMap(({ type, value }) =>
    type === '_string' || type === '_default' ? [] : [sourceKey(type, value)],
  );
}

/** The fields and mappings that rows read but the items do not have, each once; `has` says whether the items have a key. */
export function goneSources(fields: readonly ExportField[], has: (key: string) => boolean): SourcePart[] {
  const gone = new Map<string, SourcePart>();
  for (const part of fields.flatMap(({ row }) => usedParts(row))) {
    const { type, value } = part;
    if (value === '' || value === ITEM_ID || (type !== '_field' && type !== '_mapping')) continue;
    const key = sourceKey(type, value);
    if (!has(key)) gone.set(key, part);
  }
  return [...gone.values()];
}
