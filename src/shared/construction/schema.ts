import { z } from 'zod';
import { ChannelField } from '#shared/channels/schema.ts';
import { requirementNames } from '#shared/channels/requirement.ts';
import { dropped, wireText } from '#shared/values/schema.ts';

/** Most rows of a construction. */
export const MOST_ROWS = 1000;

/** The kinds of a construction row by its source (CON-03). */
export const valueTypes = {
  field: { label: 'Feld' },
  input: { label: 'Fester Wert' },
  select: { label: 'Auswahl' },
  combine: { label: 'Kombination' },
  array: { label: 'Liste' },
  array_key_value: { label: 'Liste mit Namen' },
} as const;
export type ValueType = keyof typeof valueTypes;
export const valueTypeNames = [
  'field',
  'input',
  'select',
  'combine',
  'array',
  'array_key_value',
] as const satisfies readonly ValueType[];

export const SourcePart = z
  .object({
    type: z.enum(['_field', '_intern', '_mapping', '_default', '_string']).default('_string'),
    value: wireText(100_000).default(''),
    caption: wireText(500).default(''),
  })
  .meta({ id: 'SourcePart' });
export type SourcePart = z.infer<typeof SourcePart>;

/** An entry of a list (CON-03): `name` is only for the reader. */
export const ListEntry = z.object({ name: wireText(500).default(''), value: SourcePart });
export type ListEntry = z.infer<typeof ListEntry>;

/** An entry of a list with names: the name is exported with the value. */
export const PairEntry = z.object({
  key: z.object({ type: z.literal('_string').default('_string'), value: wireText(500).default('') }),
  value: SourcePart,
});
export type PairEntry = z.infer<typeof PairEntry>;

/** An entry of a row's `field`, which depends on the row's kind. */
export const SourceEntry = z.union([PairEntry, ListEntry, SourcePart]);
export type SourceEntry = z.infer<typeof SourceEntry>;

/** Settings of a row's kind in addition to its values. Unknown members are kept as received. */
export const RowExtras = z
  .looseObject({
    /** Lists: the separator of values that share a column; the template's if absent. */
    separator: z.string().max(10).optional(),
    /** Lists: each value has its own column under the row's name; as in the template if absent. */
    repeat: z.boolean().optional(),
  })
  .meta({ id: 'RowExtras' });
export type RowExtras = z.infer<typeof RowExtras>;

/** Some languages write an object without members as an empty list: it counts as absent. */
const givenExtras = (value: z.input<typeof RowExtras> | [] | null | undefined) =>
  value === null || (Array.isArray(value) && value.length === 0) ? undefined : value;

export const ConstructionRow = z
  .object({
    /** Made by the browser from the time (GEN-02); programs may send a number. */
    id: z.union([z.string().min(1).max(40), z.number()]).transform(String),
    field: z.preprocess((value) => value ?? [], z.array(SourceEntry).max(200)).default([]),
    exportfield: z.string().trim().max(200),
    mp_state: z.enum(requirementNames).catch(''),
    /** The requirement for the tabbed variant; only displayed. */
    priority: z.enum(requirementNames).catch('').default(''),
    /** The target field in the reader's words. */
    fieldCaption: wireText(500).default(''),
    valuetype: dropped(z.enum(valueTypeNames).optional()),
    extras: z.preprocess(givenExtras, RowExtras.default({})),
    description: wireText(10_000).default(''),
    del_allowed: z.boolean().default(true),
  })
  .meta({ id: 'ConstructionRow' });
export type ConstructionRow = z.infer<typeof ConstructionRow>;

/** A save of the labelled variant (CON-07): absent members of a row keep their stored value. */
export const ConstructionRowSave = z
  .object({
    ...ConstructionRow.shape,
    priority: z.enum(requirementNames).optional(),
    fieldCaption: dropped(wireText(500).optional()),
    extras: z.preprocess(givenExtras, RowExtras.optional()),
    description: dropped(wireText(10_000).optional()),
    del_allowed: z.boolean().optional(),
  })
  .meta({ id: 'ConstructionRowSave' });
export type ConstructionRowSave = z.infer<typeof ConstructionRowSave>;

/** Returns the source of an entry, whatever its kind. */
export function partOf(entry: SourceEntry): SourcePart {
  return 'type' in entry ? entry : entry.value;
}

/** Returns the name with which an entry of a list with names is exported; '' for the other kinds. */
export const keyOf = (entry: SourceEntry): string => ('key' in entry ? entry.key.value : '');

export function isListRow(row: Pick<ConstructionRow, 'valuetype' | 'field'>): boolean {
  const kind = valueTypeOf(row);
  return kind === 'array' || kind === 'array_key_value';
}

/**
 * Returns the kind of a row, derived from its entries if absent: several parts combine, one literal is an input, else a field.
 */
export function valueTypeOf(row: Pick<ConstructionRow, 'valuetype' | 'field'>): ValueType {
  if (row.valuetype !== undefined) return row.valuetype;
  const [first] = row.field;
  if (first === undefined) return 'field';
  if ('key' in first) return 'array_key_value';
  if (!('type' in first)) return 'array';
  if (row.field.length > 1) return 'combine';
  return first.type === '_string' ? 'input' : 'field';
}

/** Returns the entries that count: kinds with one value use only the first. */
export function usedEntries(row: Pick<ConstructionRow, 'valuetype' | 'field'>): readonly SourceEntry[] {
  return isListRow(row) || valueTypeOf(row) === 'combine' ? row.field : row.field.slice(0, 1);
}

export const missingFieldsText = 'nicht alle Felder ausgefüllt !';

/**
 * Returns the rows that make a construction incomplete (CON-05): required rows in which every value is blank after trimming. An
 * empty list is incomplete too.
 */
export function incompleteRows(rows: readonly ConstructionRow[]): { complete: boolean; rowIds: string[] } {
  const rowIds = rows
    .filter((row) => row.mp_state === 'Required' && row.field.every((entry) => partOf(entry).value.trim() === ''))
    .map((row) => row.id);
  return { complete: rows.length > 0 && rowIds.length === 0, rowIds };
}

/** An entry of a field picker (GEN-08): `value` is what rules and rows store, `name` is displayed. */
export const SourceField = z
  .object({
    name: z.string(),
    value: z.string(),
    origin: z.enum(['import', '']),
    /** The users' note on the field (HDR-08). */
    note: z.string().optional(),
  })
  .meta({ id: 'SourceField' });
export type SourceField = z.infer<typeof SourceField>;

/** The part of the channel's template that the editor needs; it offers fields without a row. */
export const ConstructionTemplate = z
  .object({
    channel: z.string(),
    name: z.string(),
    fixedHeader: z.boolean(),
    categories: z.string(),
    notes: z.array(z.string()),
    groups: z.array(z.object({ name: z.string(), title: z.string() })),
    fields: z.array(ChannelField),
  })
  .meta({ id: 'ConstructionTemplate' });
export type ConstructionTemplate = z.infer<typeof ConstructionTemplate>;

export const Construction = z
  .object({
    rows: z.array(ConstructionRow),
    revision: z.number().int(),
    incomplete: z.array(z.string()),
    /** null: the export's channel has no template. */
    template: ConstructionTemplate.nullable(),
    /** Header of the last accepted file; null before the first. */
    header: z.array(z.string()).nullable(),
  })
  .meta({ id: 'Construction' });
export type Construction = z.infer<typeof Construction>;

/** A suggested source for a field of the template, with examples of its values. */
export const SourceSuggestion = z
  .object({
    exportfield: z.string(),
    part: SourcePart,
    /** From 0 to 1. */
    confidence: z.number(),
    reason: z.string(),
    /** Share of the items with a value, 0 to 1. */
    coverage: z.number(),
    examples: z.array(z.string()),
  })
  .meta({ id: 'SourceSuggestion' });
export type SourceSuggestion = z.infer<typeof SourceSuggestion>;
