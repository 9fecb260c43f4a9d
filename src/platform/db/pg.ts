import { sql as pg } from 'kysely';

/** The tag of statements for PostgreSQL; DuckDB's is `duck`, so no text goes to the wrong engine. */
export { pg };

/** Equal to one of these, of which there may be none or very many: they are one parameter. For `where(column, '=', anyOf(values))`. */
export const anyOf = <T>(values: readonly T[]) => pg<T>`any(${values})`;

/** The moment so many seconds from now, or ago where negative, by the clock of the database, which all workers share. */
export const secondsFromNow = (seconds: number) => pg<Date>`now() + make_interval(secs => ${seconds})`;
