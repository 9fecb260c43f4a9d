import { ID, nextStep, ROW, type Relation } from '#engine/duckdb/relation.ts';
import { duck, join, name } from '#platform/duckdb/sql.ts';
import type { ChannelField } from '#shared/channels/schema.ts';
import { isListRow, partOf, valueTypeOf, type ConstructionRow } from '#shared/construction/schema.ts';
import { isOtherThanMoney } from '#shared/import/price-names.ts';
import type { FieldGuess, NumberGroups } from '#shared/import/schema.ts';
import type { Constructed, ExportColumn } from './columns.ts';
import { goneSources, hasSource, type ExportField } from './fields.ts';
import { fieldValue, listShape } from './values.ts';

/** Facts used by a construction: the import's guesses about its fields, and the channel's fields. */
export type FieldFacts = {
  readonly guesses: ReadonlyMap<string, FieldGuess>;
  readonly groups: ReadonlyMap<string, NumberGroups>;
  readonly fields: readonly ChannelField[];
};

const priceName = /preis|price|kosten|cost|versand|shipping|betrag|uvp/i;
const isPrice = (name: string) => priceName.test(name) && !isOtherThanMoney(name);
/** A field that a rule made has no guess from the import: an export name of money or measure makes it a number, too. */
const numberName = /gewicht|weight/i;

/** Turns fields into export fields (CON-03, CON-07), whether or not they have a source. */
export function constructionStage(
  relation: Relation,
  fields: readonly ExportField[],
  { guesses, groups, fields: known }: FieldFacts,
): Constructed {
  const byName = new Map(known.map((field) => [field.name, field]));
  const rowsOf = ({ exportfield }: ConstructionRow) =>
    fields.filter(({ row }) => row.exportfield === exportfield).length;
  const columns = fields.map(({ row, cases }, index): ExportColumn => {
    const field = byName.get(row.exportfield);
    const empty = cases.length === 0 && !hasSource(row);
    return {
      name: row.exportfield,
      column: `x${index}`,
      rowId: row.id,
      ...numberOf(row, guesses, field),
      ...groupsOf(row, groups),
      ...listOf({ row, cases }, field, empty, rowsOf(row)),
      ...(field === undefined ? {} : { field }),
      ...(empty ? { empty } : {}),
    };
  });
  const chosen = fields.map((made, index) => duck`${fieldValue(relation, made)} AS ${name(`x${index}`)}`);
  const body = duck`SELECT ${join([ID, ROW, ...chosen], duck`, `)} FROM ${name(relation.from)}`;
  return {
    relation: nextStep(relation, body, new Map(columns.map((one) => [one.column, one.column]))),
    columns,
    gone: goneSources(fields, (key) => relation.columns.has(key)),
  };
}

/**
 * List rows are lists, and so is the text of a field for several pictures: shops write all addresses into one cell, which may
 * also be one source of a list. If each picture has a column of its own, there are as many columns as the channel takes; if rows
 * share the field, one for each source.
 */
function listOf(
  made: ExportField,
  field: ChannelField | undefined,
  empty: boolean,
  rows: number,
): Pick<ExportColumn, 'list'> {
  const { row } = made;
  const shape = listShape(made, field);
  const size = rows === 1 ? Math.max(shape.size, field?.many?.most ?? 1) : Math.max(shape.size, 1);
  if (isListRow(row)) {
    const parts = field?.type === 'image' && shape.keys === null && !empty;
    return { list: parts ? { ...shape, size, parted: 'entries' } : shape };
  }
  if (field?.type !== 'image' || field.many === undefined || empty) return {};
  return { list: { ...shape, keys: null, size, parted: 'text' } };
}

/** The channel's type decides; without one a value made of several parts is text. */
function numberOf(
  row: ConstructionRow,
  guesses: ReadonlyMap<string, FieldGuess>,
  field: ChannelField | undefined,
): { number: boolean; price: boolean } {
  if (field) {
    const price = field.type === 'price';
    return { price, number: price || field.type === 'number' };
  }
  if (valueTypeOf(row) === 'combine' || isListRow(row)) return { number: false, price: false };
  const source = soleField(row);
  const guess = source === undefined ? undefined : guesses.get(source);
  const price = guess === 'price' || (guess === undefined && isPrice(row.exportfield));
  return { price, number: price || guess === 'number' || (guess === undefined && numberName.test(row.exportfield)) };
}

/** The field that a row takes its value from, if it is only one. */
function soleField(row: ConstructionRow): string | undefined {
  if (valueTypeOf(row) === 'combine' || isListRow(row)) return undefined;
  const [entry] = row.field;
  const part = entry && partOf(entry);
  return part?.type === '_field' ? part.value : undefined;
}

function groupsOf(row: ConstructionRow, groups: FieldFacts['groups']): Pick<ExportColumn, 'groups'> {
  const source = soleField(row);
  const found = source === undefined ? undefined : groups.get(source);
  return found === undefined ? {} : { groups: found };
}
