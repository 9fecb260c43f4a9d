import { BLANK, NUMBER_GRAMMAR } from '#shared/values/number-text.ts';
import { duck, type Sql } from '#platform/duckdb/sql.ts';

/** The type of every number of the engine: 28 digits before the point, 10 after it; more decimals are rounded. */
export const NUMBER = duck`DECIMAL(38,10)`;

/** JavaScript writes a letter as \u00a0, RE2 as \x{00a0}. */
function re2(pattern: string): string {
  return pattern.replaceAll(/\\u([0-9a-f]{4})/g, String.raw`\x{$1}`);
}

const { pad, sign, oneMark, dotGroups, commaGroups, moneyGroups } = NUMBER_GRAMMAR;
const around = (body: string) => re2(`${pad}(?:${sign}${pad})?(?:${body})${pad}`);
const ONE_MARK = around(oneMark);
const DOT_GROUPS = around(dotGroups);
const COMMA_GROUPS = around(commaGroups);
/**
 * Digits with a mark before three of them, next to a currency; for texts with at most one mark. Short: long patterns cost time.
 */
const MONEY_GROUPS = `[^0-9.,]*${moneyGroups}[^0-9.,]*`;
export const CURRENCY = String.raw`[\p{Sc}Ee]`;

/**
 * Numbers of up to 12 digits and 6 decimals, nearly all of any catalogue, fit 64 bits: DuckDB reads, rounds and writes
 * those ten to forty times faster than DECIMAL(38,10).
 */
export const SHORT_NUMBER = duck`DECIMAL(18,6)`;
const SHORT_TEXT = '-?[0-9]{1,12}(?:[.,][0-9]{0,6})?';
const SHORT_CANONICAL = '-?[0-9]{1,12}(?:\\.[0-9]{0,6})?';

/** Converts a text column to canonical decimal text (docs/engine.md, same grammar as `numberText`); NULL if it is no number. */
export function cleanedNumber(text: Sql): Sql {
  const minus = duck`replace(${text}, '−', '-')`;
  const commaAsPoint = (dropped: string) => duck`replace(regexp_replace(${minus}, ${dropped}, '', 'g'), ',', '.')`;
  return duck`CASE
    WHEN ${text} IS NULL THEN NULL
    WHEN regexp_full_match(${text}, ${SHORT_TEXT}) THEN replace(${text}, ',', '.')
    WHEN regexp_full_match(${text}, ${ONE_MARK}) THEN
      CASE WHEN regexp_full_match(${text}, ${MONEY_GROUPS}) AND regexp_matches(${text}, ${CURRENCY})
        THEN regexp_replace(${minus}, '[^0-9-]+', '', 'g') ELSE ${commaAsPoint('[^0-9.,-]+')} END
    WHEN regexp_full_match(${text}, ${DOT_GROUPS}) THEN ${commaAsPoint('[^0-9,-]+')}
    WHEN regexp_full_match(${text}, ${COMMA_GROUPS}) THEN regexp_replace(${minus}, '[^0-9.-]+', '', 'g')
  END`;
}

/** Reads a text column as a short number if it is in the most common notation, which needs no cleaning; else NULL. */
export function plainNumber(text: Sql): Sql {
  return duck`CASE WHEN regexp_full_match(${text}, ${SHORT_TEXT}) THEN TRY_CAST(replace(${text}, ',', '.') AS ${SHORT_NUMBER}) END`;
}

/** Reads a cleaned text as a short number; NULL if it is longer or no number. */
export function shortNumber(cleaned: Sql): Sql {
  return duck`CASE WHEN regexp_full_match(${cleaned}, ${SHORT_CANONICAL}) THEN TRY_CAST(${cleaned} AS ${SHORT_NUMBER}) END`;
}

/** Reads a cleaned text as a number, given its short form; NULL if it is no number or out of range. */
export function fullNumber(short: Sql, cleaned: Sql): Sql {
  return duck`coalesce(CAST(${short} AS ${NUMBER}), TRY_CAST(${cleaned} AS ${NUMBER}))`;
}

/** Reads a text column as a number in one expression, for callers that need it once and have no program. */
export function numberOf(text: Sql): Sql {
  const cleaned = cleanedNumber(text);
  return fullNumber(shortNumber(cleaned), cleaned);
}

/** Binds a canonical decimal text as a number; undefined gives NULL. */
export function boundNumber(canonical: string | undefined): Sql {
  return canonical === undefined ? duck`CAST(NULL AS ${NUMBER})` : duck`TRY_CAST(${canonical} AS ${NUMBER})`;
}

/** Character classes of blanks and of all other characters, in RE2's notation. */
export const BLANK_CLASS = re2(`[${BLANK}]`);
export const INK_CLASS = re2(`[^${BLANK}]`);

/** Binds a canonical decimal text as a short number; NULL if it is longer. */
export function boundShortNumber(canonical: string | undefined): Sql {
  const short = canonical !== undefined && /^-?[0-9]{1,12}(?:\.[0-9]{0,6})?$/.test(canonical);
  return short ? duck`CAST(${canonical} AS ${SHORT_NUMBER})` : duck`CAST(NULL AS ${SHORT_NUMBER})`;
}
