import { sourceKey } from '#engine/ir/source-key.ts';
import { ConstructionRow, partOf, usedEntries, type SourcePart } from '#shared/construction/schema.ts';

/** A value for the items whose fields (by their keys in the relation) are as `where` says. */
export type ValueCase = {
  readonly where: readonly { readonly key: string; readonly value: string }[];
  readonly row: ConstructionRow;
};

/** A field of the export: what its row says, or where that has no source the first of the cases that holds. */
export type ExportField = { readonly row: ConstructionRow; readonly cases: readonly ValueCase[] };

/**
 * The fields of the export, in the order of the rows; behind them those that only cases give a value (`cases` by the field's
 * name). Rows without a name are left out. Two rows may share a name: some channels take repeated columns.
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

/** The row that makes the field's value for one item; `value` is what the item holds under a key. */
export function rowForItem({ row, cases }: ExportField, value: (key: string) => string | null): ConstructionRow {
  const found = cases.find(({ where }) => where.every((one) => value(one.key) === one.value));
  return found ? { ...row, valuetype: found.row.valuetype, field: found.row.field } : row;
}

/** The names under which the items hold what a field reads: fields, results of mappings, internal fields. */
export function fieldReads({ row, cases }: ExportField): string[] {
  return [...rowReads(row), ...cases.flatMap((one) => [...one.where.map(({ key }) => key), ...rowReads(one.row)])];
}

/** Whether the row has a value. */
export const hasSource = (row: ConstructionRow) => usedParts(row).some(({ value }) => value !== '');

/** Whether any row has a value at all: a template that nobody has filled in yet is no construction. */
export const hasSources = (rows: readonly ConstructionRow[]): boolean =>
  rows.some((row) => row.exportfield !== '' && hasSource(row));

/** An export without a construction passes every field on under its own name. */
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

/** The parts that a row is made of. */
export const usedParts = (row: ConstructionRow): SourcePart[] => usedEntries(row).map(partOf);

/** The same for what one row reads. */
export function rowReads(row: ConstructionRow): string[] {
  return usedParts(row).flatMap(({ type, value }) =>
    type === '_string' || type === '_default' ? [] : [sourceKey(type, value)],
  );
}
