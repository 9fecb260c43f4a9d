import { duck, join, joining, type Sql } from '#platform/duckdb/sql.ts';

/** Beyond so many a table of them is found in faster than each is compared. */
export const MANY = 100;

/**
 * Whether a text is one of constants; NULL where it is NULL. DuckDB makes a join of IN with more than five, which takes as long as planning thirty
 * columns and asks of every item, also behind a condition that few meet.
 */
export function isOneOf(text: Sql, constants: readonly Sql[]): Sql {
  const list = join(constants, duck`, `);
  if (constants.length > MANY) return joining(duck`(${text} IN (${list}))`);
  return duck`list_contains(list_value(${list}), ${text})`;
}
