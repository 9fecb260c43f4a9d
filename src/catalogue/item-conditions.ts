import { isBlank } from '#engine/duckdb/conditions.ts';
import { boundNumber, numberOf } from '#engine/duckdb/number.ts';
import { withoutThousandsMark } from '#engine/duckdb/number-groups.ts';
import { join, joining, name, duck, type Sql } from '#platform/duckdb/sql.ts';
import type { NumberGroups } from '#shared/import/schema.ts';
import type { ItemFilter } from '#shared/items/schema.ts';
import { numberText, textLines } from '#shared/values/number-text.ts';

/**
 * Returns the condition of a grid filter, on the columns of a snapshot file. `all`: the source of every item of the catalogue,
 * for filters that compare an item with the others; `groups`: what a separator before three digits means in the field. As in
 * rules, a missing value only satisfies negated filters.
 */
export function filterCondition(
  { field, mode, value, to = '' }: ItemFilter,
  { all, groups }: { all: Sql; groups: NumberGroups | undefined },
): Sql {
  const column = name(field);
  const number = numberOf(withoutThousandsMark(column, groups));
  const bound = (text: string) => boundNumber(numberText(text));
  switch (mode) {
    case 'is_empty':
      return duck`NOT ${filled(column)}`;
    case 'is_not_empty':
      return filled(column);
    case 'contains':
      return duck`contains(lower(${column}), lower(${value}))`;
    case 'is_equal':
      return duck`lower(${column}) = lower(${value})`;
    case 'is_not_equal':
      return duck`lower(${column}) IS DISTINCT FROM lower(${value})`;
    case 'is_equal_any':
      return equalsAny(column, value);
    case 'not_equal_any':
      return duck`(${equalsAny(column, value)}) IS NOT TRUE`;
    case 'is_greater':
      return duck`${number} > ${bound(value)}`;
    case 'is_less':
      return duck`${number} < ${bound(value)}`;
    case 'between':
      return duck`${number} BETWEEN ${bound(value)} AND ${bound(to)}`;
    case 'length_exceeds':
      return duck`length(${column}) > ${bound(value)}`;
    case 'is_duplicate':
      return joining(duck`${filled(column)} AND ${valueKey(column)} IN (
        SELECT ${valueKey(column)} FROM ${all} WHERE ${filled(column)} GROUP BY 1 HAVING count(*) > 1)`);
  }
}

/** True if a text column has more than blanks, as rules define them: tabs and line ends are invisible too. */
export const filled = (column: Sql): Sql => duck`(NOT ${isBlank(column)})`;

/** Returns a 64-bit hash that ignores case, used instead of texts that may be long descriptions. */
export const valueKey = (column: Sql): Sql => duck`hash(lower(${column}))`;

/** One entry per line; empty lines are ignored. */
function equalsAny(column: Sql, value: string): Sql {
  const entries = textLines(value).filter((entry) => entry !== '');
  if (entries.length === 0) return duck`FALSE`;
  const list = join(
    entries.map((entry) => duck`lower(${entry})`),
    duck`, `,
  );
  return duck`lower(${column}) IN (${list})`;
}
