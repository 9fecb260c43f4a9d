import { placeholders } from '#shared/channels/placeholders.ts';
import { duck, ownNumber, ownText, type Sql } from '#platform/duckdb/sql.ts';
import { isOneOf } from './one-of.ts';

const LONGEST = 20;

/** Whether a text is a placeholder for 'no value'. `maybe` is a cheap test that is true wherever `holds` is. */
export const isPlaceholder = (text: Sql): { readonly maybe: Sql; readonly holds: Sql } => ({
  // Numbers are short, too, and no placeholder begins with a digit.
  maybe: duck`(strlen(${text}) <= ${ownNumber(LONGEST)} AND NOT ${text} BETWEEN '0' AND ':')`,
  holds: isOneOf(duck`lower(trim(${text}))`, placeholders.map(ownText)),
});

/** The text, or NULL if it is a placeholder. */
export function withoutPlaceholder(text: Sql): Sql {
  const { maybe, holds } = isPlaceholder(text);
  return duck`CASE WHEN ${maybe} AND ${holds} THEN NULL ELSE ${text} END`;
}
