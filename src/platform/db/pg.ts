import { sql as pg, type Expression, type Insertable } from 'kysely';
import type { Tables } from './tables.ts';

/** The tag of statements for PostgreSQL; DuckDB's is `duck`, so no text goes to the wrong engine. */
export { pg };

/** Equal to one of these, of which there may be none or very many: they are one parameter. For `where(column, '=', anyOf(values))`. */
export const anyOf = <T>(values: readonly T[]) => pg<T>`any(${values})`;

/** Equal to one that the query finds. It runs once, where a subquery that is joined may run again for every row. */
export const anyFound = <T>(query: Expression<Record<string, T>>) => pg<T>`any(array(${query}))`;

/** The moment so many seconds from now, or ago where negative, by the clock of the database, which all workers share. */
export const secondsFromNow = (seconds: number) => pg<Date>`now() + make_interval(secs => ${seconds})`;

/**
 * What `insertInto(table).columns(columns)` writes, for `expression`: however many rows, they are one parameter and one text of a
 * statement. They are written in this order.
 */
export const jsonRows = <T extends keyof Tables, C extends keyof Insertable<Tables[T]> & string>(
  table: T,
  columns: readonly C[],
  rows: readonly Pick<Insertable<Tables[T]>, C>[],
) => pg`select ${pg.join(columns.map((column) => pg.ref(column)))}
  from json_populate_recordset(null::${pg.table(table)}, ${JSON.stringify(rows)}::json)`;
