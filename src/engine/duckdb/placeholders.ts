import { placeholders } from '#shared/channels/placeholders.ts';
import { duck, ownNumber, ownText, type Sql } from '#platform/duckdb/sql.ts';
import { isOneOf } from './one-of.ts';

const LONGEST = 20;

/** Whether a text says that there is no value; `maybe` is cheap and holds wherever it does. */
export const isPlaceholder = (text: Sql): { readonly maybe: Sql; readonly holds: Sql } => ({
  maybe: duck`strlen(${text}) <= ${ownNumber(LONGEST)}`,
  holds: isOneOf(duck`lower(trim(${text}))`, placeholders.map(ownText)),
});

/** The text, or NULL where it says that there is none. */
export function withoutPlaceholder(text: Sql): Sql {
  const { maybe, holds } = isPlaceholder(text);
  return duck`CASE WHEN ${maybe} AND ${holds} THEN NULL ELSE ${text} END`;
}
