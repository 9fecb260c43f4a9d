import { once } from '#engine/duckdb/once.ts';
import { duck, join, ownNumber, ownText, type Sql } from '#platform/duckdb/sql.ts';
import type { ChannelField } from '#shared/channels/schema.ts';
import { MEASURE_PARTS, unitSpellings } from '#shared/channels/units.ts';

/** A measure with its unit in the channel's spelling: '1,5 Liter' becomes '1,5 l', '20 KG' '20 kg'; undefined: no units known. */
export function unitText(text: Sql, field: ChannelField): Sql | undefined {
  const known = unitSpellings(field);
  if (known.size === 0) return undefined;
  const list = (texts: Iterable<string>) => join([...texts].map(ownText), duck`, `);
  const part = (group: number) => duck`regexp_extract(${text}, ${ownText(`^${MEASURE_PARTS}$`)}, ${ownNumber(group)})`;
  const key = duck`TRY_CAST(lower(${part(2)}) AS ENUM(${list(known.keys())}))`;
  const found = duck`list_value(${list(known.values())})[enum_code(${key}) + ${ownNumber(1)}]`;
  const spelled = duck`CASE WHEN u IS NULL OR regexp_full_match(${text}, '[+-]?[0-9][0-9.,]* ?' || u) THEN ${text} ELSE ${part(1)} || ' ' || u END`;
  // Not `once`: its lambda variable may occur in the text.
  return duck`list_transform(list_value(${found}), lambda u: ${spelled})[1]`;
}

/** The digits of a GTIN that a spreadsheet or a person reformatted: "'4006381333931", '4006381333931.0', '4 006381 333931'. */
export function gtinText(text: Sql): Sql {
  const bare = duck`regexp_replace(regexp_replace(${text}, '[\\s\\x{a0}''’´\\x{60}-]', '', 'g'), '[.,]0+$', '')`;
  const digits = once(bare, (one) => duck`CASE WHEN regexp_full_match(${one}, '[0-9]{8,14}') THEN ${one} END`);
  return duck`CASE WHEN regexp_full_match(${text}, '[0-9]+') THEN ${text} ELSE coalesce(${digits}, ${text}) END`;
}
