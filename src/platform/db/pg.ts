import { sql as pg, type Expression } from 'kysely';

/** Template tag for PostgreSQL statements; DuckDB's is `duck`, so that no text goes to the wrong engine. */
export { pg };

/** Matches any of these values, from none to very many, passed as one parameter. For `where(column, '=', anyOf(values))`. */
export const anyOf = <T>(values: readonly T[]) => pg<T>`any(${values})`;

/** Matches any value that the query finds. The query runs once; a subquery in a join may run again for every row. */
export const anyFound = <T>(query: Expression<Record<string, T>>) => pg<T>`any(array(${query}))`;

/** Returns the moment `seconds` from now (negative: ago) by the clock of the database, which all workers share. */
export const secondsFromNow = (seconds: number) => pg<Date>`now() + make_interval(secs => ${seconds})`;
