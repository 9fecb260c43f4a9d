import { cleanedNumber } from '#engine/duckdb/number.ts';
import { duck, type Sql } from '#platform/duckdb/sql.ts';
import { isTyped, type OutputFormat } from '#shared/exports/schema.ts';

/** Numbers that fit 64 bits, with twelve digits before the point: comparing them costs a tenth. */
const SHORT = duck`DECIMAL(18,6)`;

/** The notation of most catalogues; only other texts need further tests. */
const PLAIN = '-?[0-9]{1,12}(?:[.,][0-9]{0,6})?';

/** A price with a thousands mark and a currency code: '1.299 CHF' is 1299. */
const GROUPED = String.raw`-?[1-9][0-9]{0,2}[.,][0-9]{3}[ \x{a0}]?[A-Z]{3}`;
const isGrouped = (text: Sql): Sql =>
  duck`(left(right(${text}, 8), 1) IN ('.', ',') OR left(right(${text}, 7), 1) IN ('.', ',')) AND regexp_full_match(${text}, ${GROUPED})`;

/** A price without its currency code: '25.00 EUR' is 25.00. */
const withoutCurrency = (text: Sql): Sql =>
  duck`CASE WHEN ends_with(${text}, ' EUR') THEN left(${text}, length(${text}) - 4) ELSE regexp_replace(${text}, ' ?[A-Z]{3}$', '') END`;

/** A text as canonical decimal text; NULL if it is no number. Prices may include a currency. */
export const canonical = (text: Sql, price: boolean): Sql =>
  price
    ? duck`CASE WHEN regexp_full_match(${text}, ${PLAIN}) THEN replace(${text}, ',', '.')
        WHEN ${isGrouped(text)} THEN regexp_replace(${text}, '[^0-9-]', '', 'g')
        ELSE ${cleanedNumber(withoutCurrency(text))} END`
    : cleanedNumber(text);

/** A canonical text as number; NULL if it is none or longer than twelve digits. */
export const short = (cleaned: Sql): Sql => duck`TRY_CAST(${cleaned} AS ${SHORT})`;

/** A limit of the template as a number; no channel has limits with more than six decimals. */
export const limit = (value: number): Sql => duck`CAST(${value.toFixed(6)} AS ${SHORT})`;

/** The channel's notation of a price: an RE2 pattern and an example. undefined: any number is accepted. */
export function serializedPrice(format: OutputFormat): { pattern: string; example: string } | undefined {
  const { price, decimal, currency } = format;
  const mark = decimal === 'comma' ? ',' : '.';
  if (price === 'cents') return { pattern: '-?[0-9]+', example: '2500' };
  if (price === 'currency')
    return { pattern: `-?[0-9]+(?:[${mark}][0-9]+)? ?[A-Z]{3}`, example: `25${mark}00 ${currency}` };
  if (price === 'plain') return { pattern: `-?[0-9]+[${mark}][0-9]{2}`, example: `25${mark}00` };
  if (isTyped(format)) return { pattern: '-?[0-9]+(?:[.][0-9]+)?', example: '25.00' };
  if (decimal === 'keep') return undefined;
  return { pattern: `-?[0-9]+(?:[${mark}][0-9]+)?(?: ?[A-Z]{3})?`, example: `25${mark}00` };
}
