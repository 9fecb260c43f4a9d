import { column, ID, MISSING, nextStep, ROW, type Relation } from '#engine/duckdb/relation.ts';
import { sourceKey } from '#engine/ir/source-key.ts';
import { join, name, duck, type Sql } from '#platform/duckdb/sql.ts';
import type { ChannelField } from '#shared/channels/schema.ts';
import {
  ConstructionRow,
  isListRow,
  keyOf,
  partOf,
  usedEntries,
  valueTypeOf,
  type SourcePart,
} from '#shared/construction/schema.ts';
import type { FieldGuess } from '#shared/import/schema.ts';
import { ITEM_ID } from '#shared/rules/check.ts';

/** How a list leaves: its column holds VARCHAR[], an entry each, missing ones NULL; the whole is NULL if all are. */
export type ListShape = {
  /** The names that go out with the values; null: the values alone. */
  readonly keys: readonly string[] | null;
  readonly separator: string;
  /** A column or element for each value instead of one for all. */
  readonly repeat: boolean;
  readonly size: number;
};

/** A column of the export: its name there and its column in the relation. */
export type ExportColumn = {
  readonly name: string;
  readonly column: string;
  /** The construction row that it comes from. */
  readonly rowId: string;
  /** Decimal marks are spelled as the channel wants. */
  readonly number: boolean;
  /** A number that is money. */
  readonly price: boolean;
  readonly list?: ListShape;
  /** What the channel says of it. */
  readonly field?: ChannelField;
  /** No item has a value. */
  readonly empty?: true;
};
export type Constructed = { readonly relation: Relation; readonly columns: readonly ExportColumn[] };

/** What a construction is read with: what the import guessed of its fields, what the channel says of its own. */
export type FieldFacts = {
  readonly guesses: ReadonlyMap<string, FieldGuess>;
  readonly fields: readonly ChannelField[];
};

const priceName = /preis|price|kosten|cost|versand|shipping|betrag|uvp/i;
/** A field that no import made (a rule wrote it) and whose export name says money or measure is spelled as a number too. */
const numberName = /gewicht|weight/i;

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
    ...more.flatMap(([, given]) => given.slice(0, 1).map(({ row }) => ({ row: { ...row, field: [] }, cases: given }))),
  ];
}

/** Fields become export fields (CON-03, CON-07), whether or not they have a source. */
export function constructionStage(
  relation: Relation,
  fields: readonly ExportField[],
  { guesses, fields: known }: FieldFacts,
): Constructed {
  const byName = new Map(known.map((field) => [field.name, field]));
  const columns = fields.map(({ row, cases }, index): ExportColumn => {
    const field = byName.get(row.exportfield);
    return {
      name: row.exportfield,
      column: `x${index}`,
      rowId: row.id,
      ...numberOf(row, guesses, field),
      ...(isListRow(row) ? { list: listShape(row, field) } : {}),
      ...(field === undefined ? {} : { field }),
      ...(cases.length === 0 && !hasSource(row) ? { empty: true } : {}),
    };
  });
  const chosen = fields.map((field, index) => duck`${fieldValue(relation, field)} AS ${name(`x${index}`)}`);
  const body = duck`SELECT ${join([ID, ROW, ...chosen], duck`, `)} FROM ${name(relation.from)}`;
  return { relation: nextStep(relation, body, new Map(columns.map((one) => [one.column, one.column]))), columns };
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

function fieldValue(relation: Relation, { row, cases }: ExportField): Sql {
  if (cases.length === 0) return rowValue(relation, row);
  const branches = cases.map(({ where, row: made }) => {
    const holds = where.map(({ key, value }) => duck`${column(relation, key)} = ${value}`);
    return duck`WHEN ${holds.length === 0 ? duck`TRUE` : join(holds, duck` AND `)} THEN ${rowValue(relation, made)}`;
  });
  const value = duck`CASE ${join(branches, duck` `)} END`;
  return isListRow(row) ? duck`CASE WHEN ${value} IS NOT NULL THEN list_value(${value}) END` : value;
}

const hasSource = (row: ConstructionRow) => usedParts(row).some(({ value }) => value !== '');

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

/** The value of an export field over the relation's columns: VARCHAR, or VARCHAR[] for a list. */
function rowValue(relation: Relation, row: ConstructionRow): Sql {
  const values = usedParts(row).map((part) => partValue(relation, part));
  const [first, ...more] = values;
  if (!first) return isListRow(row) ? duck`CAST(NULL AS VARCHAR[])` : MISSING;
  if (isListRow(row)) {
    const filled = duck`coalesce(${join(values, duck`, `)}) IS NOT NULL`;
    return duck`CASE WHEN ${filled} THEN list_value(${join(values, duck`, `)}) END`;
  }
  if (more.length === 0) return first;
  return duck`nullif(concat(${join(values, duck`, `)}), '')`;
}

/** A field's value as one text: a list joined as it would stand in one column. */
export function fieldText(relation: Relation, field: ExportField): Sql {
  const value = fieldValue(relation, field);
  return isListRow(field.row) ? listText(value, listShape(field.row, undefined)) : value;
}

/** A column's text before it is spelled for the file. */
export function columnText({ column: cell, list }: ExportColumn): Sql {
  return list ? listText(name(cell), list) : name(cell);
}

/** The filled entries of a list, joined; named ones as `Name: Wert`. */
function listText(value: Sql, { keys, separator }: ListShape): Sql {
  const entries =
    keys === null ? value : duck`list_transform(list_zip(${keyList(keys)}, ${value}), lambda e: ${namedEntry})`;
  return duck`array_to_string(list_filter(${entries}, lambda e: e IS NOT NULL), ${separator})`;
}

const namedEntry = duck`e[1] || ': ' || e[2]`;
const keyList = (keys: readonly string[]): Sql =>
  duck`list_value(${join(
    keys.map((key) => duck`CAST(${key} AS VARCHAR)`),
    duck`, `,
  )})`;

function partValue(relation: Relation, part: SourcePart): Sql {
  if (part.type === '_string' || part.type === '_default')
    return part.value === '' ? MISSING : duck`CAST(${part.value} AS VARCHAR)`;
  if (part.type !== '_mapping' && part.value === ITEM_ID) return ID;
  return column(relation, sourceKey(part.type, part.value));
}

/** What the row says of its list, else what the template says, else values with a comma in one column. */
function listShape(row: ConstructionRow, field: ChannelField | undefined): ListShape {
  const entries = usedEntries(row);
  return {
    keys: valueTypeOf(row) === 'array_key_value' ? entries.map(keyOf) : null,
    separator: row.extras.separator ?? field?.many?.separator ?? ',',
    repeat: row.extras.repeat ?? field?.many?.repeat ?? false,
    size: entries.length,
  };
}

/** The channel's type counts most; without one a value that is made of several parts is text. */
function numberOf(
  row: ConstructionRow,
  guesses: ReadonlyMap<string, FieldGuess>,
  field: ChannelField | undefined,
): { number: boolean; price: boolean } {
  if (field) {
    const price = field.type === 'price';
    return { price, number: price || field.type === 'number' };
  }
  const kind = valueTypeOf(row);
  if (kind === 'combine' || isListRow(row)) return { number: false, price: false };
  const [entry] = row.field;
  const part = entry && partOf(entry);
  const guess = part?.type === '_field' ? guesses.get(part.value) : undefined;
  const price = guess === 'price' || (guess === undefined && priceName.test(row.exportfield));
  return { price, number: price || guess === 'number' || (guess === undefined && numberName.test(row.exportfield)) };
}
