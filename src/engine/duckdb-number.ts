import { BLANK, NUMBER_GRAMMAR } from '#shared/number-text.ts';
import { sql, type Sql } from '#platform/sql.ts';

/** The type of every number of the engine: 28 digits before the point, 10 after it; more decimals are rounded. */
export const NUMBER = sql`DECIMAL(38,10)`;

/** JavaScript writes a letter as \u00a0, RE2 as \x{00a0}. */
function re2(pattern: string): string {
  return pattern.replaceAll(/\\u([0-9a-f]{4})/g, String.raw`\x{$1}`);
}

const { pad, sign, oneMark, dotGroups, commaGroups } = NUMBER_GRAMMAR;
const around = (body: string) => re2(`${pad}${sign}${pad}(?:${body})${pad}`);
const ONE_MARK = around(oneMark);
const DOT_GROUPS = around(dotGroups);
const COMMA_GROUPS = around(commaGroups);

/** Most numbers of real catalogues; spares them the general patterns. */
const COMMON = '-?[0-9]{1,18}(?:[.,][0-9]{1,6})?';

/** A text column as number (docs/engine.md, same grammar as `numberText`); NULL if it is none or out of range. */
export function numberOf(text: Sql): Sql {
  const minus = sql`replace(${text}, '−', '-')`;
  return sql`TRY_CAST(CASE
    WHEN ${text} IS NULL THEN NULL
    WHEN regexp_full_match(${text}, ${COMMON}) THEN replace(${text}, ',', '.')
    WHEN regexp_full_match(${text}, ${ONE_MARK}) THEN replace(regexp_replace(${minus}, '[^0-9.,-]+', '', 'g'), ',', '.')
    WHEN regexp_full_match(${text}, ${DOT_GROUPS}) THEN replace(regexp_replace(${minus}, '[^0-9,-]+', '', 'g'), ',', '.')
    WHEN regexp_full_match(${text}, ${COMMA_GROUPS}) THEN regexp_replace(${minus}, '[^0-9.-]+', '', 'g')
  END AS ${NUMBER})`;
}

/** A canonical decimal text of our own reading as a bound number. */
export function boundNumber(canonical: string | undefined): Sql {
  return canonical === undefined ? sql`CAST(NULL AS ${NUMBER})` : sql`TRY_CAST(${canonical} AS ${NUMBER})`;
}

/** Classes of blanks and of everything else, in RE2's notation. */
export const BLANK_CLASS = re2(`[${BLANK}]`);
export const INK_CLASS = re2(`[^${BLANK}]`);
