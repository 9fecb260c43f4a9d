import { duck, join, joining, type Sql } from '#platform/duckdb/sql.ts';

/** With more constants than this, a look-up in a table is faster than comparing each. */
export const MANY = 100;

/**
 * Whether a text is one of some constants; NULL if the text is NULL. DuckDB turns IN with more than five constants into a join.
 * That takes as long as planning thirty columns and runs for every item, even after a condition that few items meet.
 */
export function isOneOf(text: Sql, constants: readonly Sql[]): Sql {
  const list = join(constants, duck`, `);
  if (constants.length > MANY) return joining(duck`(${text} IN (${list}))`);
  return duck`list_contains(list_value(${list}), ${text})`;
}
