import { once } from '#engine/duckdb/once.ts';
import { simpleLower } from '#engine/ir/text.ts';
import { join, ownNumber, ownText, duck, type Sql } from '#platform/duckdb/sql.ts';
import type { ChannelField } from '#shared/channels/schema.ts';
import { NO_PIECES, SOME_PIECES, valueKey, WHOLE_VALUE } from '#shared/channels/value-keys.ts';

/** What people write for yes and no, where a template has no words of its own. */
const truth = [
  { value: 'true', aliases: ['1', 'ja', 'j', 'yes', 'y', 'wahr', 'x'] },
  { value: 'false', aliases: ['0', 'nein', 'n', 'no', 'falsch'] },
];

/** The blanks around a value that do not make it another one. */
const blanks = ownText(' \t\r\n\u00a0');

/**
 * A value in the channel's own spelling, found by its own or by an alias without regard to case and blanks around; any
 * other value stays as it is. `truly`: texts of yes and no are wanted as true and false. undefined: nothing to respell.
 */
export function valueText(text: Sql, field: ChannelField, truly: boolean): Sql | undefined {
  const known = spellings(field, truly);
  if (known.size === 0) return undefined;
  // Of a column with few values DuckDB computes a lambda once for each, a cast for each item.
  return once(text, (one) => respelled(one, known, field));
}

function respelled(text: Sql, known: ReadonlyMap<string, string>, field: ChannelField): Sql {
  // The keys of an enumeration are hashed: two thousand cost no more than ten, other ways look through them one by one.
  const list = (texts: Iterable<string>) => join([...texts].map(ownText), duck`, `);
  const plain = duck`lower(trim(${text}, ${blanks}))`;
  const whole = duck`CASE WHEN ${plain} < ':' THEN regexp_replace(${plain}, ${ownText(WHOLE_VALUE)}, ${ownText(String.raw`\1\2`)}) ELSE ${plain} END`;
  const key = duck`TRY_CAST(${[...known.keys()].some((one) => one < ':') ? whole : plain} AS ENUM(${list(known.keys())}))`;
  const found = duck`list_value(${list(known.values())})[enum_code(${key}) + ${ownNumber(1)}]`;
  return duck`coalesce(${found}, ${field.pieces === undefined ? text : piecesText(text, field.pieces)})`;
}

/** A stock where the channel asks whether there is any. */
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
    // The first counts; an enumeration does not take an empty text's place in our reading, where it is a missing value.
    if (plain !== '' && !plain.includes('\0') && !found.has(plain)) found.set(plain, value);
  };
  for (const { value } of values) add(value, value);
  for (const { value, aliases } of values) for (const alias of aliases) add(alias, value);
  return found;
}
