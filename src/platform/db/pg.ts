/** The tag of statements for PostgreSQL; DuckDB's is `duck`, so no text goes to the wrong engine. */
export { sql as pg } from 'kysely';
