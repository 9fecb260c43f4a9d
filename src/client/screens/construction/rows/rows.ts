import { type ConstructionRow, partOf, type SourceField, valueTypeOf } from '#shared/construction/schema.ts';

/** Makes a row that takes its value from a field; '' for one to be chosen later. */
export function newRow(id: string, field = ''): ConstructionRow {
  return {
    id,
    field: field === '' ? [] : [{ type: '_field', value: field, caption: field }],
    exportfield: field,
    mp_state: '',
    priority: '',
    fieldCaption: '',
    valuetype: 'field',
    extras: {},
    description: '',
    del_allowed: true,
  };
}

/** Returns the fields that no row outputs unchanged. */
export function unusedFields(rows: readonly ConstructionRow[], fields: readonly SourceField[]): SourceField[] {
  const used = new Set(
    rows
      .filter((row) => valueTypeOf(row) === 'field')
      .flatMap((row) => row.field.slice(0, 1).map(partOf))
      .filter(({ type }) => type === '_field')
      .map(({ value }) => value),
  );
  return fields.filter(({ value }) => !used.has(value));
}
