import type { ChannelField } from '#shared/channels/schema.ts';
import { type ConstructionRow, type ConstructionTemplate, partOf } from '#shared/construction/schema.ts';

/** The group of rows that are not in the template. No template has a group of this name. */
export const OTHER = 'weitere';
const otherTitle = 'Weitere Felder';

/** A tab of the editor (CON-01): a group of the template with its rows in the order of the file. */
export type Group = {
  readonly name: string;
  readonly title: string;
  readonly rows: readonly ConstructionRow[];
  /** Required rows without a value (CON-05). */
  readonly open: number;
};

/** Returns the template's fields by name. */
export const fieldsByName = (template: ConstructionTemplate | null): ReadonlyMap<string, ChannelField> =>
  new Map(template?.fields.map((field) => [field.name, field]));

/** Returns the group of a row. */
export function groupOf(row: ConstructionRow, fields: ReadonlyMap<string, ChannelField>): string {
  return fields.get(row.exportfield)?.group ?? OTHER;
}

/**
 * Returns a group for each of the template's, and one for all other rows. `missing`: ids of required rows without a value;
 * `held`: a row that stays in its group while its name is being typed.
 */
export function groupsOf(
  rows: readonly ConstructionRow[],
  template: ConstructionTemplate | null,
  missing: ReadonlySet<string>,
  held: { id: string; group: string } | null = null,
): Group[] {
  const fields = fieldsByName(template);
  const inGroup = Map.groupBy(rows, (row) => (row.id === held?.id ? held.group : groupOf(row, fields)));
  return [...(template?.groups ?? []), { name: OTHER, title: otherTitle }].map(({ name, title }) => {
    const own = inGroup.get(name) ?? [];
    return { name, title, rows: own, open: own.filter(({ id }) => missing.has(id)).length };
  });
}

/** Returns all rows with those of a group in a new order: they keep the group's positions. */
export function withOrder(rows: readonly ConstructionRow[], group: readonly ConstructionRow[]): ConstructionRow[] {
  const ids = new Set(group.map(({ id }) => id));
  const next = group.values();
  return rows.map((row) => (ids.has(row.id) ? (next.next().value ?? row) : row));
}

/** Returns the template's fields that no row has: optional ones, and recommended ones that were deleted. */
export function missingFields(rows: readonly ConstructionRow[], template: ConstructionTemplate): ChannelField[] {
  const presentFields = new Set(rows.map(({ exportfield }) => exportfield));
  return template.fields.filter(({ name }) => !presentFields.has(name));
}

/** Inserts a row for a template field after the nearest row that precedes it in the template. */
export function withField(
  rows: readonly ConstructionRow[],
  template: ConstructionTemplate,
  row: ConstructionRow,
): readonly ConstructionRow[] {
  const indexes = fieldIndexes(template);
  const own = indexes.get(row.exportfield) ?? 0;
  const before = rows.findLastIndex((other) => (indexes.get(other.exportfield) ?? Number.POSITIVE_INFINITY) < own);
  return rows.toSpliced(before + 1, 0, row);
}

/** Returns the rows in the template's order, followed by unknown ones in their current order. */
export function inTemplateOrder(
  rows: readonly ConstructionRow[],
  template: ConstructionTemplate,
): readonly ConstructionRow[] {
  const indexes = fieldIndexes(template);
  const placeOf = (row: ConstructionRow) => indexes.get(row.exportfield) ?? indexes.size;
  const sorted = rows.toSorted((a, b) => placeOf(a) - placeOf(b));
  return sorted.every((row, index) => row === rows[index]) ? rows : sorted;
}

const fieldIndexes = ({ fields }: ConstructionTemplate) => new Map(fields.map(({ name }, index) => [name, index]));

/** Returns rows with a name but no value yet: suggestions are requested for them. */
export function unmappedRows(rows: readonly ConstructionRow[]): ConstructionRow[] {
  return rows.filter((row) => row.exportfield !== '' && row.field.every((entry) => partOf(entry).value.trim() === ''));
}
