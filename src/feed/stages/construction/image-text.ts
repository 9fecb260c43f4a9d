import { duck, ownText, type Sql } from '#platform/duckdb/sql.ts';
import type { ChannelField } from '#shared/channels/schema.ts';
import { once } from '#engine/duckdb/once.ts';

/** What may stand between two addresses, as in shared/items/image-addresses.ts: it parts only where an address follows. */
const MARKS = String.raw`[\s,;|]`;
const NEXT = String.raw`(?:https?:)?//[^\s/]`;

/**
 * The text of a field of the channel that holds addresses of pictures. A shop's cell often holds several, parted as the shop likes: a
 * field for one gets the first, a field for several all of them with the channel's separator; an address that holds it has it
 * percent-encoded, as in lists. Other texts stay as they are.
 */
export function imageText(text: Sql, { many }: Pick<ChannelField, 'many'>): Sql {
  // A repeated column or element for each is made of a list row only.
  if (many?.repeat) return text;
  const several = (value: Sql) => duck`regexp_matches(${value}, ${ownText(`(?i)${MARKS}${NEXT}`)})`;
  const made = many === undefined ? first : (value: Sql) => joined(value, many.separator);
  return once(text, (value) => duck`CASE WHEN ${several(value)} THEN ${made(value)} ELSE ${value} END`);
}

function first(value: Sql): Sql {
  const pattern = `(?is)^${MARKS}*([^\\s,;|].*?)${MARKS}+${NEXT}`;
  return duck`coalesce(nullif(regexp_extract(${value}, ${ownText(pattern)}, 1), ''), ${value})`;
}

function joined(value: Sql, separator: string): Sql {
  const encoded = Array.from(Buffer.from(separator), (byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`);
  const pattern = `(?i)${MARKS}+(${NEXT})`;
  const lines = duck`regexp_replace(trim(${value}, ${ownText(' \t\r\n,;|')}), ${ownText(pattern)}, ${ownText('\n\\1')}, 'g')`;
  const addresses = duck`list_transform(string_split(${lines}, ${ownText('\n')}), lambda e: replace(e, ${separator}, ${encoded.join('')}))`;
  return duck`array_to_string(${addresses}, ${separator})`;
}
