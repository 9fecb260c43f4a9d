import { duck, type Sql } from '#platform/duckdb/sql.ts';

/**
 * `use` of a value that is computed once however often it stands there: the calculator computes what a CASE repeats anew, and
 * nullif is one.
 */
export function once(value: Sql, use: (value: Sql) => Sql): Sql {
  return duck`list_transform(list_value(${value}), lambda v: ${use(duck`v`)})[1]`;
}

/** A text, or NULL where it is empty. */
export const filled = (text: Sql): Sql => once(text, (one) => duck`nullif(${one}, '')`);

/** What makes one text of another; most look at it more than once. */
export type Step = (text: Sql) => Sql;

/** All steps in one expression, each computed once: written into each other they would grow with the product of their uses. */
export const stepsOf = (text: Sql, [first, ...more]: readonly Step[]): Sql =>
  more.reduce((so, step) => once(so, step), first?.(text) ?? text);
