import { duck, ownText, type Sql } from '#platform/duckdb/sql.ts';

/** What may stand between two addresses, as in shared/items/image-addresses.ts: it parts only where an address follows. */
const MARKS = String.raw`[\s,;|]`;
const NEXT = String.raw`(?:https?:)?//[^\s/]`;
/** Marks belong to an address or to prose unless what stands before them is an address too. */
const SEVERAL = `(?is)^${MARKS}*${NEXT}.*${MARKS}${NEXT}.*`;
/** A list as programs write it. */
const JSON_LIST = String.raw`(?is)^\s*\[\s*"(?:https?:)?(?:\\?/){2}[^\s/].*"\s*\]\s*`;

/** Whether a text holds several addresses of pictures, as a shop's cell often does, or a JSON list of them. Most are told by their slashes. */
export const holdsSeveral = (text: Sql): Sql =>
  duck`CASE WHEN ${isBracketed(text)} THEN ${isJsonList(text)} WHEN ${text} LIKE '%//%//%' THEN regexp_full_match(${text}, ${ownText(SEVERAL)}) ELSE FALSE END`;

const isBracketed = (text: Sql): Sql =>
  duck`(starts_with(${text}, '[') OR (${text} < '!' AND starts_with(ltrim(${text}, ${ownText(' \t\r\n')}), '[')))`;
const isJsonList = (text: Sql): Sql =>
  duck`(regexp_full_match(${text}, ${ownText(JSON_LIST)}) AND json_valid(${text}))`;

/** All addresses of a text as VARCHAR[]; a text that does not hold several stays one entry. */
export const addressList = (text: Sql): Sql =>
  duck`CASE WHEN ${holdsSeveral(text)} THEN ${parts(text)} WHEN ${text} IS NOT NULL THEN list_value(${bare(text)}) END`;

/** Whether an entry of a list holds several. */
export const entriesHoldSeveral = (list: Sql): Sql =>
  duck`len(list_filter(${list}, lambda t: ${holdsSeveral(duck`t`)})) > 0`;

/** All addresses of the texts of a list, as VARCHAR[]. */
export const entryAddresses = (list: Sql): Sql =>
  duck`CASE WHEN ${entriesHoldSeveral(list)} THEN flatten(list_transform(${list}, lambda t: ${addressList(duck`t`)})) ELSE ${list} END`;

/** The first address of a text, for a field that takes one; a text that does not hold several stays as it is. */
export const firstAddress = (text: Sql): Sql =>
  duck`CASE WHEN ${holdsSeveral(text)} THEN ${parts(text)}[1] ELSE ${text} END`;

const bare = (text: Sql): Sql => duck`trim(${text}, ${ownText(' \t\r\n,;|')})`;

/** No address holds these, but JSON has a spelling for each: behind it stand characters that the text itself did not hold. */
const UNREADABLE = String.raw`[\x00-\x1f\x{fffe}\x{ffff}]+`;

/** The parts of a text that holds several. */
function parts(text: Sql): Sql {
  const inLines = duck`regexp_replace(${bare(text)}, ${ownText(`(?i)${MARKS}+(${NEXT})`)}, ${ownText('\n\\1')}, 'g')`;
  const readable = (entry: Sql) => bare(duck`regexp_replace(${entry}, ${ownText(UNREADABLE)}, '', 'g')`);
  const entries = duck`from_json(CAST(${text} AS JSON), '["VARCHAR"]')`;
  const listed = duck`list_filter(list_transform(${entries}, lambda e: ${readable(duck`e`)}), lambda e: e <> '')`;
  return duck`(CASE WHEN ${isBracketed(text)} THEN ${listed} ELSE string_split(${inLines}, ${ownText('\n')}) END)`;
}
