import { CURRENCY } from '#engine/duckdb/number.ts';
import { isOneOf } from '#engine/duckdb/one-of.ts';
import { ownNumber, duck, type Sql } from '#platform/duckdb/sql.ts';
import type { ChannelField, FieldType, Severity } from '#shared/channels/schema.ts';
import type { OutputFormat } from '#shared/exports/schema.ts';
import { internal, rightDigit } from './gtin.ts';
import type { KindName } from './kinds.ts';
import { limit, serializedPrice } from './numbers.ts';
import * as texts from './text-checks.ts';

/**
 * A value that is not missing, as written to the file. For types that need them: `number` is its canonical text and `short` that
 * text as a number; for a GTIN `number` is a BIGINT. `unusual`: see `characters`.
 */
export type Value = {
  readonly text: Sql;
  readonly number: Sql;
  readonly short: Sql;
  readonly unusual: Sql | undefined;
};

/** A test for one problem of a value. `maybe` is a cheap test that is true wherever `holds` is. */
export type Check = {
  readonly kind: KindName;
  readonly severity?: Severity;
  readonly detail?: string;
  readonly holds: Sql;
  readonly maybe?: Sql;
};

export type Expected = { readonly field: ChannelField; readonly format: OutputFormat };
type Checks = (value: Value, expected: Expected) => readonly Check[];

/** The checks of each type, in addition to those of all types. */
const ofType: Record<FieldType, Checks> = {
  text: ({ text, unusual }, { field }) => [
    ...texts.characters(text, unusual, field),
    texts.html(text),
    ...texts.style(text, field),
    ...texts.placeholder(text, field),
  ],
  html: ({ text, unusual }, { field }) => [...texts.characters(text, unusual, field), ...texts.brokenHtml(text)],
  choice: () => [],
  number: (value, { format }) => [plainNumber(value), mark(value, format), ...range(value)],
  integer: (value) => [
    notA('not_number', value),
    {
      kind: 'not_integer',
      // Tests the text as written: '1.000' may be a thousand or one.
      maybe: duck`NOT regexp_full_match(${value.text}, '-?[0-9]+')`,
      holds: duck`NOT regexp_full_match(${value.text}, '-?[0-9]+') AND ${value.number} IS NOT NULL`,
    },
  ],
  price: (value, { field: { minimum = 0.01 }, format }) => [
    notA('not_price', value),
    ...priceFormatChecks(value, format),
    // Shipping may cost nothing, and a channel may accept -1 for 'not offered'.
    ...(minimum < 0 ? [] : range(value)),
    ...(minimum <= 0 ? [] : [zero(value)]),
  ],
  measure: ({ text, number }) => [
    { kind: 'no_unit', holds: duck`${number} IS NOT NULL` },
    {
      kind: 'not_measure',
      holds: duck`${number} IS NULL AND NOT regexp_full_match(${text}, ${MEASURE})`,
    },
  ],
  boolean: ({ text }, { field }) =>
    field.values.length > 0 ? [] : [{ kind: 'not_boolean', holds: duck`NOT regexp_full_match(${text}, ${BOOLEAN})` }],
  date: ({ text }, { field }) => (field.pattern === undefined ? [notDate(text)] : []),
  url: ({ text }) => address(text),
  image: ({ text }) => [
    ...address(text),
    { kind: 'placeholder_image', holds: duck`regexp_matches(${text}, ${PLACEHOLDER})` },
  ],
  gtin: (value, { field }) => gtin(value, field),
};

const MEASURE = String.raw`[+-]?[0-9][0-9.,]* ?[^\s0-9.,+-].*`;
const BOOLEAN = '(?i)true|false|yes|no|ja|nein|1|0|wahr|falsch|y|n|j';
const DATE =
  '[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ](?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.][0-9]+)?)? ?(?:Z|[+-](?:0[0-9]|1[0-4]):?[0-5][0-9])?)?';
const PLACEHOLDER =
  '(?i)no[-_ ]?(?:image|img|photo|picture)|placeholder|platzhalter|kein[-_ ]?bild|dummy|default[-_]image';
const ADDRESS = String.raw`(?i)https?://[^\s/?#"<>\\]*[^\s/?#"<>\\.:@][.][^\s/?#"<>\\]{2,}(?:[/?#][^\s"<>]*)?`;
/** The most allowed values that a message lists. */
const SOME_VALUES = 8;

/** Types whose checks read the number in the text. */
export const numberTypes: ReadonlySet<FieldType> = new Set(['number', 'integer', 'price', 'measure', 'gtin']);

/** All checks of a value that is present. */
export function valueChecks(value: Value, expected: Expected): Check[] {
  const { field } = expected;
  return [
    ...lengths(value.text, field),
    ...ofType[field.type](value, expected),
    ...limits(value, field),
    ...allowed(value.text, field),
  ];
}

function notA(kind: 'not_number' | 'not_price', { number }: Value): Check {
  return { kind, holds: duck`${number} IS NULL` };
}

/** With a currency next to it the number is a price, and it would be written with the currency. */
function plainNumber({ text, number }: Value): Check {
  return { kind: 'not_number', holds: duck`${number} IS NULL OR regexp_matches(${text}, ${CURRENCY})` };
}

function mark({ text, number }: Value, { decimal }: OutputFormat): Check {
  const wrong = decimal === 'comma' ? duck`'.'` : duck`','`;
  return {
    kind: 'number_mark',
    detail: decimal === 'comma' ? 'Komma' : 'Punkt',
    holds: decimal === 'keep' ? duck`FALSE` : duck`contains(${text}, ${wrong}) AND ${number} IS NOT NULL`,
  };
}

function priceFormatChecks({ text, number }: Value, format: OutputFormat): Check[] {
  const serialized = serializedPrice(format);
  if (!serialized) return [];
  const other = duck`NOT regexp_full_match(${text}, ${serialized.pattern})`;
  return [
    {
      kind: 'price_spelling',
      detail: serialized.example,
      maybe: other,
      holds: duck`${other} AND ${number} IS NOT NULL`,
    },
  ];
}

/** Numbers of more than twelve digits have no short form; their sign is in their text. */
function range({ number, short }: Value): Check[] {
  return [
    {
      kind: 'negative',
      maybe: duck`(${short} < 0 OR ${short} IS NULL)`,
      holds: duck`starts_with(${number}, '-') AND (${short} < 0 OR ${short} IS NULL)`,
    },
  ];
}

const zero = ({ short }: Value): Check => ({ kind: 'zero', holds: duck`${short} = 0` });

/** `minimum` and `maximum` of the template; values already reported as negative or 0 are not reported again. */
function limits({ number, short }: Value, { type, minimum, maximum }: ChannelField): Check[] {
  const checks: Check[] = [];
  if (type !== 'number' && type !== 'integer' && type !== 'price') return checks;
  const words = (value: number) => String(value).replace('.', ',');
  if (minimum !== undefined) {
    // If the channel accepts no negative prices, these are already reported as negative.
    const isPositive = type === 'price' && minimum >= 0 ? duck`${short} > 0 AND ` : duck``;
    checks.push({ kind: 'too_small', detail: words(minimum), holds: duck`${isPositive}${short} < ${limit(minimum)}` });
  }
  if (maximum !== undefined) {
    const long = duck`${short} IS NULL AND ${number} IS NOT NULL AND NOT starts_with(${number}, '-')`;
    checks.push({
      kind: 'too_large',
      detail: words(maximum),
      holds: duck`(${short} > ${limit(maximum)} OR (${long}))`,
    });
  }
  return checks;
}

/** Lengths in code points. There are never fewer bytes, and counting bytes is cheap. */
function lengths(text: Sql, { minLength, maxLength }: ChannelField): Check[] {
  const checks: Check[] = [];
  const limited = (most: number) => ({
    detail: most.toLocaleString('de-DE'),
    maybe: duck`strlen(${text}) > ${ownNumber(most)}`,
    holds: duck`length(${text}) > ${ownNumber(most)}`,
  });
  checks.push(
    maxLength === undefined ? { kind: 'huge', ...limited(HUGE) } : { kind: 'too_long', ...limited(maxLength) },
  );
  if (minLength !== undefined && minLength > 1)
    checks.push({
      kind: 'too_short',
      detail: String(minLength),
      holds: duck`length(${text}) < ${ownNumber(minLength)}`,
    });
  return checks;
}
const HUGE = 100_000;

function allowed(text: Sql, { values, open, pattern, patternText }: ChannelField): Check[] {
  const checks: Check[] = [];
  if (values.length > 0 && !open) {
    const known = values.map(({ value }) => value);
    const shown = known.slice(0, SOME_VALUES).join(', ') + (known.length > SOME_VALUES ? ' …' : '');
    checks.push({
      kind: 'value',
      detail: shown,
      holds: duck`NOT ${isOneOf(
        text,
        known.map((value) => duck`${value}`),
      )}`,
    });
  }
  if (pattern !== undefined)
    checks.push({
      kind: 'pattern',
      detail: patternText ?? pattern,
      holds: duck`NOT regexp_full_match(${text}, ${pattern})`,
    });
  return checks;
}

function notDate(text: Sql): Check {
  return {
    kind: 'not_date',
    holds: duck`(NOT regexp_full_match(${text}, ${DATE}) OR TRY_CAST(left(${text}, 10) AS DATE) IS NULL)`,
  };
}

/** An address must be an absolute web address, with a dot in the host name and without blanks. */
function address(text: Sql): Check[] {
  const bad = duck`NOT regexp_full_match(${text}, ${ADDRESS})`;
  const other = duck`NOT regexp_matches(${text}, '^(?i)https?://')`;
  return [
    { kind: 'not_address', maybe: bad, holds: other },
    { kind: 'bad_address', maybe: bad, holds: duck`${bad} AND NOT (${other})` },
  ];
}

/** The number is NULL if the text cannot be a GTIN. */
function gtin({ text, number }: Value, { values }: ChannelField): Check[] {
  const digits = duck`regexp_full_match(${text}, '[0-9]+')`;
  // Words that the channel accepts for an item without a GTIN.
  const words = values.map(({ value }) => duck`${value}`);
  const none = words.length === 0 ? duck`${number} IS NULL` : duck`${number} IS NULL AND NOT ${isOneOf(text, words)}`;
  const internally = internal(text, number);
  return [
    { kind: 'gtin_letters', maybe: none, holds: duck`${none} AND NOT ${digits}` },
    { kind: 'gtin_length', maybe: none, holds: duck`${none} AND ${digits}` },
    // 0 is no one's number: systems write it if they have none.
    { kind: 'gtin_digit', holds: duck`(NOT (${rightDigit(number)}) OR ${number} = 0)` },
    { kind: 'gtin_internal', maybe: internally, holds: rightDigit(number) },
  ];
}
