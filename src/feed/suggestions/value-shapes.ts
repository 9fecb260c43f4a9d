import type { ChannelField, FieldType } from '#shared/channels/schema.ts';
import { firstAddress } from '#shared/items/image-addresses.ts';

/** A price or number as catalogues write it, with a currency or not. */
const money =
  /^(?:eur|usd|gbp|chf|€|\$|£)?\s?-?\d{1,3}(?:[.,' ]?\d{3})*(?:[.,]\d{1,4})?\s?(?:eur|usd|gbp|chf|pln|sek|czk|€|\$|£|,-)?$/i;
const numeric = /^[+-]?\d{1,3}(?:[.,' ]?\d{3})*(?:[.,]\d+)?$/;
const whole = /^[+-]?\d+(?:[.,]0+)?$/;
const measured = /^[+-]?\d+(?:[.,]\d+)?\s?(?:%|°?[a-zµμ²³/]{0,8})\.?$/i;
const address = /^https?:\/\/\S+$/i;
const picture = /\.(?:jpe?g|png|gif|webp|bmp|tiff?|avif)(?:[?#].*)?$|\/(?:images?|img|bilder|media|photos?|cdn)[/.-]/i;
/** The name of a picture without its address. */
const file = /^[^\s,;|]+\.(?:jpe?g|png|gif|webp|bmp|tiff?)$/i;
const dated = /^(?:\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}.*)?|\d{1,2}\.\d{1,2}\.\d{2,4}|\d{4}\/\d{2}\/\d{2})$/;
const truth = /^(?:true|false|yes|no|ja|nein|j|n|y|0|1|wahr|falsch|x)$/i;
const markup = /<[a-z][^>]*>/i;

/** Of a period the first day. */
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
  // Several pictures in one column: the first says what they are.
  image: (text) => address.test(firstAddress(text)) && picture.test(firstAddress(text)),
  gtin: (text) => hasCheckDigit(text.replaceAll(/[\s-]/g, '')),
};

/** Share of the values that a field takes by their look, 0 to 1; 1 where there is nothing to look at. */
export function shareFitting(
  field: Pick<ChannelField, 'type' | 'values' | 'maxLength' | 'open'>,
  values: readonly string[],
): number {
  if (values.length === 0) return 1;
  const fits = fitOf(field);
  const share = values.filter((value) => fits(value.trim())).length / values.length;
  // Addresses of pictures rarely say so; any address may be one, and a page may have a picture's word in it.
  if (field.type === 'image' || field.type === 'url') {
    const addresses = values.filter((value) => address.test(firstAddress(value.trim()))).length / values.length;
    const files = field.type === 'image' ? values.filter((value) => file.test(value.trim())).length / values.length : 0;
    return Math.max(share, addresses * 0.6, files * 0.75);
  }
  return share;
}

function fitOf({ type, values, maxLength, open }: Pick<ChannelField, 'type' | 'values' | 'maxLength' | 'open'>) {
  if (type === 'choice') {
    const excluded = new Set(
      values.flatMap(({ value, aliases }) => [value, ...aliases]).map((text) => text.toLowerCase()),
    );
    return (text: string) => open || excluded.has(text.toLowerCase());
  }
  const look = looksLike[type];
  const most = type === 'text' && maxLength !== undefined ? maxLength * 1.5 : Number.POSITIVE_INFINITY;
  return (text: string) => text.length <= most && look(text);
}

/** Whether texts hold markup: for a field that wants plain text another column suits better. */
export const holdsMarkup = (values: readonly string[]): boolean =>
  values.length > 0 && values.filter((value) => markup.test(value)).length * 4 > values.length;

/** GTIN-8, -12, -13 or -14 by their check digit. */
export function hasCheckDigit(digits: string): boolean {
  if (!/^(?:\d{8}|\d{12,14})$/.test(digits) || /^0+$/.test(digits)) return false;
  const sum = Array.from(digits.slice(0, -1))
    .toReversed()
    .reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0);
  return (10 - (sum % 10)) % 10 === Number(digits.at(-1));
}
