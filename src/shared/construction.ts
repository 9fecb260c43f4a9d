import { z } from 'zod';

/** How much a channel wants a field; label and colours as GEN-09. `''` stands for "keine Angaben". */
export const requirements = {
  Required: { label: 'Pflicht', color: 'red' },
  Recommended: { label: 'Empfohlen', color: 'green' },
  Optional: { label: 'Optional', color: 'yellow' },
  '': { label: 'keine Angaben', color: 'gray' },
} as const;
export type Requirement = keyof typeof requirements;
export const requirementNames = ['Required', 'Recommended', 'Optional', ''] as const satisfies readonly Requirement[];

/** Where a construction row takes its value from (CON-03); array kinds and select come with the channel templates. */
export const valueTypes = {
  field: { label: 'Feld' },
  input: { label: 'Fester Wert' },
  combine: { label: 'Kombination' },
} as const;
export type ValueType = keyof typeof valueTypes;

export const SourcePart = z.object({
  type: z.enum(['_field', '_intern', '_mapping', '_default', '_string']).default('_string'),
  value: z.string().max(100_000).default(''),
  caption: z.string().max(500).default(''),
});
export type SourcePart = z.infer<typeof SourcePart>;

export const ConstructionRow = z
  .object({
    /** Made by the browser from the time (GEN-02); machines may send it as a number. */
    id: z.union([z.string().min(1).max(40), z.number()]).transform(String),
    field: z.array(SourcePart).max(50).default([]),
    exportfield: z.string().trim().max(200),
    mp_state: z.enum(requirementNames).catch(''),
    valuetype: z.enum(['field', 'input', 'combine']).optional(),
    description: z.string().max(10_000).default(''),
    del_allowed: z.boolean().default(true),
  })
  .meta({ id: 'ConstructionRow' });
export type ConstructionRow = z.infer<typeof ConstructionRow>;

/** The kind of a row that came without one: several parts combine, one literal is an input, else a field. */
export function valueTypeOf(row: Pick<ConstructionRow, 'valuetype' | 'field'>): ValueType {
  if (row.valuetype !== undefined) return row.valuetype;
  if (row.field.length > 1) return 'combine';
  return row.field[0]?.type === '_string' ? 'input' : 'field';
}

export const missingFieldsText = 'nicht alle Felder ausgefüllt !';

/**
 * Rows that stop a construction from being complete (CON-05): required rows in which every value is blank after
 * trimming. An empty list is incomplete too.
 */
export function incompleteRows(rows: readonly ConstructionRow[]): { complete: boolean; rowIds: string[] } {
  const rowIds = rows
    .filter((row) => row.mp_state === 'Required' && row.field.every((part) => part.value.trim() === ''))
    .map((row) => row.id);
  return { complete: rows.length > 0 && rowIds.length === 0, rowIds };
}

/** A field picker entry (GEN-08): `value` is what rules and rows store, `name` what people read. */
export const SourceField = z
  .object({
    name: z.string(),
    value: z.string(),
    origin: z.enum(['import', '']),
    /** What people wrote about the field (HDR-08). */
    note: z.string().optional(),
  })
  .meta({ id: 'SourceField' });
export type SourceField = z.infer<typeof SourceField>;

export const Construction = z
  .object({ rows: z.array(ConstructionRow), revision: z.number().int(), incomplete: z.array(z.string()) })
  .meta({ id: 'Construction' });
