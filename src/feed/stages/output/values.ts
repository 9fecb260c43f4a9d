import { once } from '#engine/duckdb/once.ts';
import { simpleLower } from '#engine/ir/text.ts';
import { join, ownNumber, ownText, duck, type Sql } from '#platform/duckdb/sql.ts';
import type { ChannelField } from '#shared/channels/schema.ts';
import { NO_PIECES, SOME_PIECES, valueKey, WHOLE_VALUE } from '#shared/channels/value-keys.ts';

/** Words for yes and no, used if a template has none of its own. */
const truth = [
  { value: 'true', aliases: ['1', 'ja', 'j', 'yes', 'y', 'wahr', 'x'] },
  { value: 'false', aliases: ['0', 'nein', 'n', 'no', 'falsch'] },
];

/** Blanks around a value that do not make it a different value. */
const blanks = ownText(' \t\r\n\u00a0');

/**
 * A value in the channel's spelling, matched by itself or by an alias, ignoring case and surrounding blanks; any other value
 * stays as it is. `truly`: words for yes and no become true and false. undefined: the field has no known spellings.
 */
export function valueText(text: Sql, field: ChannelField, truly: boolean): Sql | undefined {
  const known = spellings(field, truly);
  if (known.size === 0) return undefined;
  // On a column with few values DuckDB computes a lambda once for each value, but a cast for each item.
  return once(text, (one) => respelled(one, known, field));
}

function respelled(text: Sql, known: ReadonlyMap<string, string>, field: ChannelField): Sql {
  // Keys of an enumeration are hashed: two thousand cost no more than ten, while other ways compare them one by one.
  const list = (texts: Iterable<string>) => join([...texts].map(ownText), duck`, `);
  const plain = duck`lower(trim(${text}, ${blanks}))`;
  const whole = duck`CASE WHEN ${plain} < ':' THEN regexp_replace(${plain}, ${ownText(WHOLE_VALUE)}, ${ownText(String.raw`\1\2`)}) ELSE ${plain} END`;
  const key = duck`TRY_CAST(${[...known.keys()].some((one) => one < ':') ? whole : plain} AS ENUM(${list(known.keys())}))`;
  const found = duck`list_value(${list(known.values())})[enum_code(${key}) + ${ownNumber(1)}]`;
  return duck`coalesce(${found}, ${field.pieces === undefined ? text : piecesText(text, field.pieces)})`;
}

/** Converts a number of pieces for a field that only asks whether there is stock. */
function piecesText(text: Sql, { some, none }: NonNullable<ChannelField['pieces']>): Sql {
  const is = (pattern: string) => duck`regexp_full_match(trim(${text}, ${blanks}), ${ownText(pattern)})`;
  return duck`CASE WHEN ${is(SOME_PIECES)} THEN ${ownText(some)} WHEN ${is(NO_PIECES)} THEN ${ownText(none)} ELSE ${text} END`;
}

function spellings(field: ChannelField, truly: boolean): Map<string, string> {
  const found = new Map<string, string>();
  if (field.type !== 'choice' && field.type !== 'boolean' && field.type !== 'gtin') return found;
  const values = field.type === 'boolean' && truly && field.values.length === 0 ? truth : field.values;
  const add = (key: string, value: string) => {
    const plain = valueKey(simpleLower(key).replaceAll(/^[ \t\r\n\u00a0]+|[ \t\r\n\u00a0]+$/g, ''));
    // The first one wins. The empty text is a missing value and must not become a key of the enumeration.
    if (plain !== '' && !plain.includes('\0') && !found.has(plain)) found.set(plain, value);
  };
  for (const { value } of values) add(value, value);
  for (const { value, aliases } of values) for (const alias of aliases) add(alias, value);
  return found;
}
