import { isOtherThanMoney } from '#shared/import/price-names.ts';
import type { FieldGuess } from '#shared/import/schema.ts';
import { addressesOf } from '#shared/items/image-addresses.ts';

/** Number of characters of a value from which its kind is guessed. */
export const SEEN = 300;

const truthValues = new Set('true false ja nein yes no wahr falsch y n'.split(' '));
const dateShapes = [
  /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2})?(\.\d+)?(Z|[+-]\d{2}:?\d{2})?)?$/u,
  /^\d{1,2}\.\d{1,2}\.\d{2,4}( \d{1,2}:\d{2}(:\d{2})?)?$/u,
  /^\d{1,2}\/\d{1,2}\/\d{2,4}$/u,
];
const numberShape = /^[+-]?(\d+|\d{1,3}([.,'’ \u00a0\u202f]\d{3})+)([.,]\d+)?(e[+-]?\d+)?$/iu;
/** Blanks next to it are trimmed afterwards: a pattern for runs of them takes quadratic time. */
const moneyMark = /^(€|\$|£|eur|chf|usd|gbp)|(€|\$|£|eur|chf|usd|gbp)$/iu;
const priceName = /preis|price|uvp|rrp|betrag|amount|kosten|cost|netto|brutto/iu;
const isPrice = (name: string) => priceName.test(name) && !isOtherThanMoney(name);

/** True for an 8, 12, 13 or 14 digit trade item number with the right check digit. */
export function isGtin(value: string): boolean {
  if (!/^(\d{8}|\d{12,14})$/u.test(value)) return false;
  let sum = 0;
  for (let index = 0; index < value.length - 1; index += 1) {
    const weight = (value.length - 1 - index) % 2 === 1 ? 3 : 1;
    sum += Number(value[index]) * weight;
  }
  return (10 - (sum % 10)) % 10 === Number(value.at(-1));
}

function isUrl(value: string): boolean {
  return /^(https?:)?\/\/[^\s/]+\.[^\s]+$/iu.test(value);
}

function isImage(value: string): boolean {
  return /\.(jpe?g|png|gif|webp|avif|svg|bmp|tiff?)(\?.*)?$/iu.test(value);
}

/** Returns the addresses in a value; of a value that was cut, the complete ones if there are any. */
function seenAddresses(value: string): string[] {
  if (value.length < SEEN) return addressesOf(value);
  if (/^\s*\[\s*"/u.test(value)) {
    const whole = value.lastIndexOf('",');
    return addressesOf(whole < 0 ? `${value}"]` : `${value.slice(0, whole + 1)}]`);
  }
  const addresses = addressesOf(value);
  return addresses.length > 1 ? addresses.slice(0, -1) : addresses;
}

/** Guesses the kind of a field from up to 1,000 of its values. The guess affects display and proposals, never the data. */
export function guessField(name: string, found: readonly string[]): FieldGuess {
  const values = found.map((value) => value.trim()).filter((value) => value !== '');
  if (values.length === 0) return 'text';
  const most = (test: (value: string) => boolean, share = 0.95) =>
    values.filter(test).length >= Math.max(1, values.length * share);
  const lines = (test: (value: string) => boolean) => (value: string) => seenAddresses(value).every(test);
  if (most(lines(isUrl), 0.9))
    return most(lines(isImage), 0.5) || /bild|image|img|foto|photo|pict/iu.test(name) ? 'image' : 'url';
  if (most(isImage, 0.9)) return 'image';
  if (most((value) => /<\/?[a-z][^>]*>/iu.test(value), 0.3)) return 'html';
  if (most(isGtin, 0.9) && values.some((value) => value.length > 8)) return 'gtin';
  if (most((value) => truthValues.has(value.toLowerCase()))) return 'boolean';
  if (most((value) => dateShapes.some((shape) => shape.test(value)))) return 'date';
  if (!most((value) => numberShape.test(value.replace(moneyMark, '').trim()))) return 'text';
  if (values.some((value) => moneyMark.test(value)) || (isPrice(name) && most((value) => !/e/iu.test(value))))
    return 'price';
  return most((value) => /^[+-]?\d+$/u.test(value), 1) ? 'integer' : 'number';
}
