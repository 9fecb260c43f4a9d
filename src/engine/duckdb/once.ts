import { duck, type Sql } from '#platform/duckdb/sql.ts';

/**
 * Applies `use` to a value that is computed once however often `use` repeats it: DuckDB computes an expression that a CASE
 * repeats each time, and nullif is a CASE.
 */
export function once(value: Sql, use: (value: Sql) => Sql): Sql {
  return duck`list_transform(list_value(${value}), lambda v: ${use(duck`v`)})[1]`;
}

/** A text, or NULL if it is empty. */
export const filled = (text: Sql): Sql => once(text, (one) => duck`nullif(${one}, '')`);

/** Transforms a text expression; most implementations use it more than once. */
export type Step = (text: Sql) => Sql;

/** Applies all steps in one expression, each computed once: directly nested, they would grow with the product of their uses. */
export const stepsOf = (text: Sql, [first, ...more]: readonly Step[]): Sql =>
  more.reduce((so, step) => once(so, step), first?.(text) ?? text);
