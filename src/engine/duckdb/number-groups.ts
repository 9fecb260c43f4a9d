import { duck, type Sql } from '#platform/duckdb/sql.ts';
import type { FieldGuess, NumberGroups } from '#shared/import/schema.ts';

/** One mark before exactly three digits, without a currency: it separates thousands or decimals. */
const bare = (mark: '.' | ',' | '.,') => `\\s*[+-]?[1-9][0-9]{0,2}[${mark}][0-9]{3}\\s*`;

/** Removes the mark before exactly three digits if it separates thousands in this column: '1.299' becomes '1299'. */
export function withoutThousandsMark(text: Sql, groups: NumberGroups | undefined): Sql {
  if (groups === undefined || groups.mark === 'none') return text;
  const mark = groups.mark === 'point' ? '.' : ',';
  return duck`CASE WHEN contains(${text}, ${mark}) AND regexp_full_match(${text}, ${bare(mark)}) THEN replace(${text}, ${mark}, '') ELSE ${text} END`;
}

/** Whether a text has one mark before exactly three digits. `maybe` is a cheap test that is true wherever `holds` is. */
export const threeDigits = (text: Sql): { readonly maybe: Sql; readonly holds: Sql } => ({
  maybe: duck`left(right(rtrim(${text}), 4), 1) IN ('.', ',')`,
  holds: duck`regexp_full_match(${text}, ${bare('.,')})`,
});

type Described = {
  readonly name: string;
  readonly guess?: FieldGuess | undefined;
  readonly groups?: NumberGroups | undefined;
};

/** What a mark before three digits means in each field for which the import could tell. */
export const groupsOf = (fields: readonly Described[]): Map<string, NumberGroups> =>
  new Map(fields.flatMap(({ name, groups }) => (groups === undefined ? [] : [[name, groups] as const])));

/** Fields whose mark separates thousands: other values of the column show it, or all prices of the column are written so. */
export const groupedFields = (fields: readonly Described[]): Map<string, NumberGroups> =>
  groupsOf(
    fields.filter(({ guess, groups }) => groups?.mark !== 'none' && (groups?.sure === true || guess === 'price')),
  );
