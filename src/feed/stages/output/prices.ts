import { cleanedNumber } from '#engine/duckdb/number.ts';
import { join, ownText, duck, type Sql } from '#platform/duckdb/sql.ts';
import type { OutputFormat } from '#shared/exports/schema.ts';
import { once } from '#engine/duckdb/once.ts';

/** Currencies that a value may include; the signs stand for the first three, `$` for the format's currency if that is a dollar. */
const currencies = 'EUR|USD|GBP|CHF|PLN|CZK|SEK|DKK|NOK|HUF|RON|BGN|TRY|JPY';
const signs: Readonly<Record<string, string>> = { '€': 'EUR', $: 'USD', '£': 'GBP' };
const dollars: ReadonlySet<string> = new Set(['USD', 'AUD', 'CAD', 'NZD', 'HKD', 'SGD', 'TWD', 'MXN']);

/** The notation of nearly every price: digits, at most two decimals, and an optional euro sign if the file is in euros. */
const usualIn = (currency: string) => `-?[0-9]{1,12}(?:[.,][0-9]{1,2})?${currency === 'EUR' ? '(?: ?(?:€|EUR))?' : ''}`;

/** The most frequent notation: only its decimal mark may need to change. */
const TWO_DECIMALS = '(?:0|[1-9][0-9]{0,11})[.,][0-9]{2}';

type Spelling = Pick<OutputFormat, 'price' | 'currency' | 'decimal'>;

/**
 * A price in one of the notations of `format.price`, rounded half up to two decimals: '1.234,56 €' is 1234.56, '1234.56 EUR' or
 * 123456. A text that is no number stays as it is; so does a price that names another currency if the notation has none: 12.50
 * dollars are not 12.50 euros.
 */
export function priceText(text: Sql, format: Spelling): Sql {
  const amount = duck`CAST(replace(rtrim(${text}, ' €EUR'), ',', '.') AS DECIMAL(18,2))`;
  // A currency between the digits must not vanish: 5EUR600 is no number.
  const bare = duck`regexp_replace(${text}, ${ownText(`(?i)${currencies}`)}, '€', 'g')`;
  const other = duck`TRY_CAST(${cleanedNumber(bare)} AS DECIMAL(38,2))`;
  const usual = duck`${format.currency}`;
  const quick =
    format.price === 'cents'
      ? duck``
      : duck`WHEN regexp_full_match(${text}, ${ownText(TWO_DECIMALS)}) THEN ${named(withMark(text, format), usual, format)}`;
  const foreign = keptForeign(text, format.price === 'currency' ? undefined : format.currency);
  return duck`CASE ${quick} WHEN regexp_full_match(${text}, ${ownText(usualIn(format.currency))}) THEN ${serialized(amount, usual, format)}
    ${foreign} ELSE coalesce(${serialized(other, currencyOf(text, format.currency), format)}, ${text}) END`;
}

/** An amount with two decimals in the channel's notation; NULL if there is none. */
function serialized(amount: Sql, currency: Sql, format: Spelling): Sql {
  const point = duck`CAST(${amount} AS VARCHAR)`;
  // All digits of a DECIMAL(38,2) fit a HUGEINT, which drops leading zeros.
  if (format.price === 'cents') return duck`CAST(CAST(replace(${point}, '.', '') AS HUGEINT) AS VARCHAR)`;
  return named(format.decimal === 'comma' ? withMark(point, format) : point, currency, format);
}

/** Digits with the channel's decimal mark. */
const withMark = (digits: Sql, { decimal }: Spelling): Sql =>
  decimal === 'comma' ? duck`replace(${digits}, '.', ',')` : duck`replace(${digits}, ',', '.')`;

const named = (digits: Sql, currency: Sql, { price }: Spelling): Sql =>
  price === 'currency' ? duck`${digits} || ' ' || ${currency}` : digits;

function currencyOf(text: Sql, usual: string): Sql {
  const named = Object.entries(signs).reduce(
    (so, [sign, code]) => duck`replace(${so}, ${sign}, ${sign === '$' && dollars.has(usual) ? usual : code})`,
    duck`upper(${text})`,
  );
  return duck`coalesce(nullif(regexp_extract(${named}, ${ownText(currencies)}), ''), ${usual})`;
}

/** The branch of a CASE that keeps a text which names another currency than `currency`: $5 are not 5 euros. undefined: the text is no price. */
const keptForeign = (text: Sql, currency: string | undefined): Sql =>
  currency === undefined ? duck`` : duck`WHEN ${currencyOf(text, currency)} <> ${currency} THEN ${text}`;

/** Numbers in a notation that every reader accepts, with one mark. */
const marked = '-?(?:0|[1-9][0-9]*)[.,][0-9]{2}';

/**
 * A number with the channel's decimal mark, and at least two decimals if it has any: 12.5 is a price of 12.50. Whole numbers stay
 * as they are, so article numbers and EANs never change. `currency`: see `keptForeign`.
 */
export function decimalText(text: Sql, decimal: 'point' | 'comma', currency?: string): Sql {
  const [from, to] = decimal === 'comma' ? ['.', ','] : [',', '.'];
  const other = duck`replace(${tidied(cleanedNumber(text))}, ${from}, ${to})`;
  return duck`CASE WHEN NOT (contains(${text}, '.') OR contains(${text}, ',')) THEN ${text}
    WHEN regexp_full_match(${text}, ${ownText(marked)}) THEN replace(${text}, ${from}, ${to})
    ${keptForeign(text, currency)} ELSE coalesce(${other}, ${text}) END`;
}

/** A measure ('1,5 kg') with the channel's decimal mark; unchanged if it has no mark, or several numbers with one. */
export function measureText(text: Sql, decimal: 'point' | 'comma'): Sql {
  const [from, to] = decimal === 'comma' ? ['[.]', ','] : [',', '.'];
  const pattern = String.raw`^([+-]?[0-9]+)${from}([0-9]+)(\s?[^\s0-9.,+-](?:[^.,]|[.,][^0-9])*[.,]?)$`;
  return duck`regexp_replace(${text}, ${ownText(pattern)}, ${ownText(String.raw`\1${to}\2\3`)})`;
}

/**
 * A whole number in digits only: '5,00', '1 234' and '1.234,00' are 5 and 1234. '1.000' stays, as it may be one or a thousand; so
 * does any other number. The check reports both.
 */
export function wholeNumber(text: Sql): Sql {
  const plain = duck`regexp_replace(${tidied(cleanedNumber(text))}, '\\.0+$', '')`;
  const whole = once(plain, (number) => duck`CASE WHEN NOT contains(${number}, '.') THEN ${number} END`);
  return duck`CASE WHEN regexp_full_match(${text}, '-?(?:0|[1-9][0-9]*)|[^.,]*[0-9][.,][0-9]{3}[^.,0-9]*') THEN ${text}
    ELSE coalesce(${whole}, ${text}) END`;
}

/** A number in its simplest notation, with a point: '1.234,5' becomes 1234.50, '+007' becomes 7. `currency`: see `keptForeign`. */
export function plainNumber(text: Sql, currency?: string): Sql {
  return duck`CASE WHEN regexp_full_match(${text}, '-?(?:0|[1-9][0-9]*)(?:\\.[0-9]{2})?') THEN ${text}
    ${keptForeign(text, currency)} ELSE coalesce(${tidied(cleanedNumber(text))}, ${text}) END`;
}

/** Digits with a point, without needless zeros, but with two decimals if there are any; of short number texts only. */
function tidied(cleaned: Sql): Sql {
  const steps: [string, string][] = [
    [String.raw`^(-?)0*([0-9])`, String.raw`\1\2`],
    [String.raw`^(-?)\.`, String.raw`\10.`],
    [String.raw`\.$`, ''],
    [String.raw`(\.[0-9]{2}[0-9]*?)0+$`, String.raw`\1`],
    [String.raw`(\.[0-9])$`, String.raw`\10`],
  ];
  return steps.reduce(
    (so, [pattern, replacement]) =>
      duck`regexp_replace(${so}, ${join([ownText(pattern), ownText(replacement)], duck`, `)})`,
    cleaned,
  );
}
