import { column, ID, MISSING, nextStep, ROW, type Relation } from '#engine/relation.ts';
import { sourceKey } from '#engine/source-key.ts';
import { join, name, sql, type Sql } from '#platform/sql.ts';
import { valueTypeOf, type ConstructionRow, type SourcePart } from '#shared/construction.ts';
import type { FieldGuess } from '#shared/import.ts';
import { ITEM_ID } from '#shared/rule-check.ts';

/** A column of the export: its name there and its column in the relation. `number`: decimal marks are spelled as the channel wants. */
export type ExportColumn = { readonly name: string; readonly column: string; readonly number: boolean };
export type Constructed = { readonly relation: Relation; readonly columns: readonly ExportColumn[] };

/** A field that no import made (a rule wrote it) and whose export name says money or measure is spelled as a number too. */
const numberName = /preis|price|kosten|cost|versand|shipping|gewicht|weight|betrag|uvp/i;

/**
 * Fields become export fields, in the order of the rows (CON-03, CON-07). Rows without a name or a value are left out of
 * the file. Two rows may share a name: some channels take repeated columns.
 */
export function constructionStage(
  relation: Relation,
  rows: readonly ConstructionRow[],
  guesses: ReadonlyMap<string, FieldGuess>,
): Constructed {
  const named = rows.filter((row) => row.exportfield !== '');
  const columns = named.map((row, index) => ({
    name: row.exportfield,
    column: `x${index}`,
    number: isNumber(row, guesses),
  }));
  const chosen = named.map((row, index) => sql`${rowValue(relation, row)} AS ${name(`x${index}`)}`);
  const body = sql`SELECT ${join([ID, ROW, ...chosen], sql`, `)} FROM ${name(relation.from)}`;
  return { relation: nextStep(relation, body, new Map(columns.map((one) => [one.column, one.column]))), columns };
}

/** An export without a construction passes every field on under its own name. */
export function passThrough(fieldNames: readonly string[]): ConstructionRow[] {
  return fieldNames.map((field, index) => ({
    id: String(index),
    field: [{ type: '_field', value: field, caption: field }],
    exportfield: field,
    mp_state: '',
    valuetype: 'field',
    description: '',
    del_allowed: true,
  }));
}

/** The parts that a row is made of: only a combination takes more than its first. */
export function usedParts(row: ConstructionRow): readonly SourcePart[] {
  return valueTypeOf(row) === 'combine' ? row.field : row.field.slice(0, 1);
}

/** The names under which the items hold what a row reads: fields, results of mappings, internal fields. */
export function rowFields(row: ConstructionRow): string[] {
  return usedParts(row).flatMap(({ type, value }) =>
    type === '_string' || type === '_default' ? [] : [sourceKey(type, value)],
  );
}

/** The value of an export field over the relation's columns. */
export function rowValue(relation: Relation, row: ConstructionRow): Sql {
  const parts = usedParts(row);
  const [first, ...more] = parts;
  if (!first) return MISSING;
  if (more.length === 0) return partValue(relation, first);
  return sql`nullif(concat(${join(
    parts.map((part) => partValue(relation, part)),
    sql`, `,
  )}), '')`;
}

function partValue(relation: Relation, part: SourcePart): Sql {
  if (part.type === '_string' || part.type === '_default')
    return part.value === '' ? MISSING : sql`CAST(${part.value} AS VARCHAR)`;
  if (part.type !== '_mapping' && part.value === ITEM_ID) return ID;
  return column(relation, sourceKey(part.type, part.value));
}

function isNumber(row: ConstructionRow, guesses: ReadonlyMap<string, FieldGuess>): boolean {
  if (valueTypeOf(row) === 'combine') return false;
  const part = row.field[0];
  if (part?.type !== '_field') return numberName.test(row.exportfield);
  const guess = guesses.get(part.value);
  return guess === 'price' || guess === 'number' || (guess === undefined && numberName.test(row.exportfield));
}
