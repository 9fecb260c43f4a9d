import { type ConstructionRow, partOf, type SourceField, valueTypeOf } from '#shared/construction/schema.ts';

/** A row that takes its value from a field; '' for one that is yet to be chosen. */
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

/** The fields that no row passes on as they are. */
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
