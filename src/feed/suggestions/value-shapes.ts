import type { ChannelField, FieldType } from '#shared/channels/schema.ts';
import { MEASURE_PARTS, unitSpellings } from '#shared/channels/units.ts';
import { isPieces, valueKey } from '#shared/channels/value-keys.ts';
import { firstAddress } from '#shared/items/image-addresses.ts';
import { nameWords } from './field-names.ts';

/** A price or number in the notation of catalogues, with or without a currency. */
const money =
  /^(?:eur|usd|gbp|chf|€|\$|£)?\s?-?\d{1,3}(?:[.,' ]?\d{3})*(?:[.,]\d{1,4})?\s?(?:eur|usd|gbp|chf|pln|sek|czk|€|\$|£|,-)?$/i;
const numeric = /^[+-]?\d{1,3}(?:[.,' ]?\d{3})*(?:[.,]\d+)?$/;
const whole = /^[+-]?\d+(?:[.,]0+)?$/;
const measured = /^[+-]?\d+(?:[.,]\d+)?\s?(?:%|["″]|°?[a-zäöüµμ²³/][a-zäöüµμ²³/0-9]{0,11})\.?$/i;
const address = /^https?:\/\/\S+$/i;
const picture = /\.(?:jpe?g|png|gif|webp|bmp|tiff?|avif)(?:[?#].*)?$|\/(?:images?|img|bilder|media|photos?|cdn)[/.-]/i;
/** A picture's file name without an address. */
const file = /^[^\s,;|]+\.(?:jpe?g|png|gif|webp|bmp|tiff?)$/i;
const dated = /^(?:\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}.*)?|\d{1,2}\.\d{1,2}\.\d{2,4}|\d{4}\/\d{2}\/\d{2})$/;
/** A date without separators or with hyphens: eight digits, of which every tenth number has a valid GTIN check digit. */
const day =
  /^(?:(?:19|20)\d{2}-?(?:0[1-9]|1[0-2])-?(?:0[1-9]|[12]\d|3[01])|(?:0[1-9]|[12]\d|3[01])-?(?:0[1-9]|1[0-2])-?(?:19|20)\d{2})$/;
const truth = /^(?:true|false|yes|no|ja|nein|j|n|y|0|1|wahr|falsch|x)$/i;
const tagBegin = /<[a-z]/i;

/** The first day of a period. */
const firstDay = (text: string): string => text.split(/\/(?=\d{4}-)/)[0]?.trim() ?? '';

const looksLike: Readonly<Record<Exclude<FieldType, 'choice'>, (text: string) => boolean>> = {
  text: (text) => !address.test(text),
  html: (text) => !address.test(text),
  number: (text) => numeric.test(text),
  integer: (text) => whole.test(text),
  price: (text) => money.test(text) && !(/^\d{8,}$/.test(text) && hasCheckDigit(text)),
  measure: (text) => measured.test(text),
  boolean: (text) => truth.test(text),
  date: (text) => dated.test(firstDay(text)),
  url: (text) => address.test(text) && !picture.test(text),
  // If a column holds several pictures, the first one shows it.
  image: (text) => address.test(firstAddress(text)) && picture.test(firstAddress(text)),
  gtin: (text) => !day.test(text) && hasCheckDigit(gtinDigits(text)),
};

type Fitted = Pick<
  ChannelField,
  'type' | 'values' | 'maxLength' | 'open' | 'pattern' | 'many' | 'unit' | 'unique' | 'pieces'
>;

/**
 * The share of the values that fit a field, 0 to 1; 1 without values. `names` are the column's: they tell whether 0 and 1 are
 * numbers of pieces, and the unit of a number without one.
 */
export function shareFitting(field: Fitted, values: readonly string[], names: readonly string[] = []): number {
  if (values.length === 0) return 1;
  const fits = fitOf(field);
  const sum = values.reduce((total, value) => total + fits(value.trim()), 0);
  const share = (sum / values.length) * plausible(field, values, names);
  // Picture addresses rarely look like pictures; any address may be one, and a page's address may contain a word for pictures.
  if (field.type === 'image' || field.type === 'url') {
    const addresses = values.filter((value) => address.test(firstAddress(value.trim()))).length / values.length;
    const files = field.type === 'image' ? values.filter((value) => file.test(value.trim())).length / values.length : 0;
    return Math.max(share, addresses * 0.6, files * 0.75);
  }
  return share;
}

/** Returns how well a value fits, 0 to 1. */
function fitOf(field: Fitted): (text: string) => number {
  const { type, values, maxLength, open, pattern, many } = field;
  if (type === 'choice') {
    const keyOf = (text: string) => valueKey(text.toLowerCase());
    const known = new Set(values.flatMap(({ value, aliases }) => [value, ...aliases]).map(keyOf));
    // If other values are allowed, too, a column with only such values is hardly the right one.
    return (text) => (known.has(keyOf(text)) || isPieces(field, text) ? 1 : open ? OTHER : 0);
  }
  const test = looksLike[type];
  const most = type === 'text' && maxLength !== undefined ? maxLength * 1.5 : Number.POSITIVE_INFINITY;
  const whole = pattern === undefined ? undefined : patternOf(pattern);
  const written = type === 'measure' ? measureWriter(field) : (text: string) => text;
  // As in the check, each of several values is tested by itself.
  const parts = (text: string) =>
    many === undefined || many.repeat || many.separator === '' ? [text] : text.split(many.separator);
  const matches = (text: string) =>
    whole === undefined || parts(text).every((part) => whole.test(written(part.trim())));
  return (text) => (text.length <= most && test(text) && matches(text) ? 1 : 0);
}
const OTHER = 0.2;

const patterns = new Map<string, RegExp>();

/** A template's pattern as a JavaScript expression. */
function patternOf(pattern: string): RegExp {
  const known = patterns.get(pattern);
  if (known !== undefined) return known;
  const bare = pattern.replace(/^\(\?i\)/, '');
  const made = new RegExp(`^(?:${bare})$`, bare === pattern ? 'u' : 'iu');
  patterns.set(pattern, made);
  return made;
}

/** A measure in the notation of the output. */
function measureWriter(field: Fitted): (text: string) => string {
  const units = unitSpellings(field);
  return (text) => {
    const [, number = '', unit = ''] = measure.exec(text) ?? [];
    return number === '' ? text : `${number.replace(',', '.')} ${units.get(unit.trim().toLowerCase()) ?? unit}`;
  };
}
const measure = new RegExp(`^${MEASURE_PARTS}$`, 'u');

const flags = new Set('0 1 true false ja nein yes no j n y wahr falsch'.split(' '));
const flagNames = new Set('is in has ist hat available lieferbar verfuegbar flag active aktiv'.split(' '));
/** Names that shop systems use for their kinds of articles. */
const shopKinds = new Set(
  'simple configurable grouped bundle bundled virtual downloadable variable variation parent child external'.split(' '),
);

/** Lowers the score of values hardly meant: 0 and 1 are rarely pieces, never text or price; `simple` is no product type. */
function plausible({ type, unit, unique }: Fitted, values: readonly string[], names: readonly string[]): number {
  const distinct = new Set(values.map((value) => value.trim().toLowerCase()));
  const all = (known: ReadonlySet<string>) => [...distinct].every((value) => known.has(value));
  const words = new Set(names.flatMap((name) => nameWords(name)));
  if (type === 'text' && !unique && (all(flags) || all(shopKinds))) return 0;
  if (type === 'price' && all(flags)) return 0;
  if (type === 'integer' && distinct.size <= 2 && all(flags)) {
    if ([...words].some((word) => flagNames.has(word))) return 0;
    if (distinct.size === 2 && values.length >= ENOUGH) return 0.5;
  }
  // A weight in kilograms would be exported as one in grams.
  if (unit !== undefined && !(unitNames[unit] ?? [unit]).some((name) => words.has(name))) return 0.1;
  if (type === 'gtin' && distinct.size * 2 < values.length) return 0.5;
  return 1;
}
const ENOUGH = 20;
const unitNames: Readonly<Record<string, readonly string[]>> = {
  g: ['g', 'gramm', 'gram', 'grams'],
  mm: ['mm', 'millimeter'],
};

/** Whether a mapping can produce the field's values from others: it has a list of values, or takes codes of a few letters. */
export const isMappable = ({ type, pattern }: Pick<ChannelField, 'type' | 'pattern'>): boolean =>
  type === 'choice' || (pattern !== undefined && /^\[A-Z\]\{\d\}$/.test(pattern));

/** Whether texts contain markup: for a field with plain text another column is better. */
export const holdsMarkup = (values: readonly string[]): boolean =>
  values.length > 0 && values.filter((value) => holdsTag(value)).length * 4 > values.length;

/** One pattern for a whole tag would search the rest of the text for its end at each `<`. */
function holdsTag(text: string): boolean {
  const begin = text.search(tagBegin);
  return begin >= 0 && text.includes('>', begin);
}

/** The digits of a GTIN as spreadsheets and people write it: with a leading apostrophe, a trailing `.0`, blanks and hyphens. */
export const gtinDigits = (text: string): string => text.replaceAll(/[\s'-]/g, '').replace(/\.0+$/, '');

/** Whether digits are a GTIN-8, -12, -13 or -14 by their check digit. */
export function hasCheckDigit(digits: string): boolean {
  if (!/^(?:\d{8}|\d{12,14})$/.test(digits) || /^0+$/.test(digits)) return false;
  const sum = Array.from(digits.slice(0, -1))
    .toReversed()
    .reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0);
  return (10 - (sum % 10)) % 10 === Number(digits.at(-1));
}
