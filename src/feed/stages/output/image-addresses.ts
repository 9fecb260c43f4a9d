import { duck, ownText, type Sql } from '#platform/duckdb/sql.ts';

/** Possible separators of two addresses, as in shared/items/image-addresses.ts: they separate only before an address. */
const MARKS = String.raw`[\s,;|]`;
const NEXT = String.raw`(?:https?:)?//[^\s/]`;
/** A separator is part of an address or of prose unless an address precedes it, too. */
const SEVERAL = `(?is)^${MARKS}*${NEXT}.*${MARKS}${NEXT}.*`;
/** A JSON list of addresses, as programs write it. */
const JSON_LIST = String.raw`(?is)^\s*\[\s*"(?:https?:)?(?:\\?/){2}[^\s/].*"\s*\]\s*`;

/** Whether a text contains several picture addresses, as cells of shops often do, or a JSON list. Slashes rule most out. */
export const holdsSeveral = (text: Sql): Sql =>
  duck`CASE WHEN ${isBracketed(text)} THEN ${isJsonList(text)} WHEN ${text} LIKE '%//%//%' THEN regexp_full_match(${text}, ${ownText(SEVERAL)}) ELSE FALSE END`;

const isBracketed = (text: Sql): Sql =>
  duck`(starts_with(${text}, '[') OR (${text} < '!' AND starts_with(ltrim(${text}, ${ownText(' \t\r\n')}), '[')))`;
const isJsonList = (text: Sql): Sql =>
  duck`(regexp_full_match(${text}, ${ownText(JSON_LIST)}) AND json_valid(${text}))`;

/** All addresses of a text as VARCHAR[]; a text without several addresses is one entry. */
export const addressList = (text: Sql): Sql =>
  duck`CASE WHEN ${holdsSeveral(text)} THEN ${parts(text)} WHEN ${text} IS NOT NULL THEN list_value(${bare(text)}) END`;

/** Whether an entry of a list contains several addresses. */
export const entriesHoldSeveral = (list: Sql): Sql =>
  duck`len(list_filter(${list}, lambda t: ${holdsSeveral(duck`t`)})) > 0`;

/** All addresses of the texts of a list, as VARCHAR[]. */
export const entryAddresses = (list: Sql): Sql =>
  duck`CASE WHEN ${entriesHoldSeveral(list)} THEN flatten(list_transform(${list}, lambda t: ${addressList(duck`t`)})) ELSE ${list} END`;

/** The first address of a text, for a field that takes one; a text without several addresses stays as it is. */
export const firstAddress = (text: Sql): Sql =>
  duck`CASE WHEN ${holdsSeveral(text)} THEN ${parts(text)}[1] ELSE ${text} END`;

const bare = (text: Sql): Sql => duck`trim(${text}, ${ownText(' \t\r\n,;|')})`;

/** Characters that no address contains but JSON can escape: decoding may produce characters that the text did not contain. */
const UNREADABLE = String.raw`[\x00-\x1f\x{fffe}\x{ffff}]+`;

/** The addresses of a text that contains several. */
function parts(text: Sql): Sql {
  const inLines = duck`regexp_replace(${bare(text)}, ${ownText(`(?i)${MARKS}+(${NEXT})`)}, ${ownText('\n\\1')}, 'g')`;
  const readable = (entry: Sql) => bare(duck`regexp_replace(${entry}, ${ownText(UNREADABLE)}, '', 'g')`);
  const entries = duck`from_json(CAST(${text} AS JSON), '["VARCHAR"]')`;
  const listed = duck`list_filter(list_transform(${entries}, lambda e: ${readable(duck`e`)}), lambda e: e <> '')`;
  return duck`(CASE WHEN ${isBracketed(text)} THEN ${listed} ELSE string_split(${inLines}, ${ownText('\n')}) END)`;
}
