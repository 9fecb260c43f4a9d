import { sql as pg, type Expression } from 'kysely';

/** The tag of statements for PostgreSQL; DuckDB's is `duck`, so no text goes to the wrong engine. */
export { pg };

/** Equal to one of these values, of which there may be none or very many: they are one parameter. For `where(column, '=', anyOf(values))`. */
export const anyOf = <T>(values: readonly T[]) => pg<T>`any(${values})`;

/** Equal to a value that the query finds. It runs once; a subquery in a join may run again for every row. */
export const anyFound = <T>(query: Expression<Record<string, T>>) => pg<T>`any(array(${query}))`;

/** The moment so many seconds from now, or ago where negative, by the clock of the database, which all workers share. */
export const secondsFromNow = (seconds: number) => pg<Date>`now() + make_interval(secs => ${seconds})`;
