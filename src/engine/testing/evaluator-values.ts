import { RE2JS } from 're2js';

/**
 * A second implementation of what values mean, different from the product's: letter by letter instead of patterns, whole numbers
 * of 10^-10 instead of DECIMAL. The tests compare the two.
 */

const BLANKS = new Set(
  [9, 10, 11, 12, 13, 32, 0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff].concat(
    Array.from({ length: 11 }, (_, index) => 0x2000 + index),
  ),
);

export function isBlank(letter: string): boolean {
  return BLANKS.has(letter.codePointAt(0) ?? 0);
}

export function lower(text: string): string {
  let result = '';
  for (const letter of text) result += letter === 'İ' ? 'i' : letter.toLowerCase();
  return result;
}

export function words(text: string): number {
  let [count, inside] = [0, false];
  for (const letter of text) {
    if (!isBlank(letter) && !inside) count += 1;
    inside = !isBlank(letter);
  }
  return count;
}

export function lines(text: string): string[] {
  const list = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').split('\n');
  return list.at(-1) === '' ? list.slice(0, -1) : list;
}

const SCALE = 10n ** 10n;
const currency = RE2JS.compile('\\p{Sc}');

function dropAround(letters: string[]): void {
  const isCurrency = (letter: string | undefined) => letter !== undefined && currency.matches(letter);
  for (;;) {
    const first = letters[0];
    if (first === undefined) return;
    if (isBlank(first) || isCurrency(first)) letters.shift();
    else if (letters.slice(0, 3).join('').toUpperCase() === 'EUR') letters.splice(0, 3);
    else return;
  }
}

function groupsOfThree(text: string, mark: string): boolean {
  const groups = text.split(mark);
  return groups.every((group, index) => (index === 0 ? group.length >= 1 && group.length <= 3 : group.length === 3));
}

/** The digits before and after the decimal mark; undefined if the marks form no number. */
function digits(body: string): [string, string] | undefined {
  const [dots, commas] = [body.split('.').length - 1, body.split(',').length - 1];
  const blanks = Array.from(body).some(isBlank);
  if (blanks) {
    const plain = Array.from(body, (letter) => (isBlank(letter) ? ' ' : letter)).join('');
    const mark = /[.,]/.exec(plain);
    if (dots + commas > 1 || (mark && plain.slice(mark.index).includes(' '))) return undefined;
    const integer = mark ? plain.slice(0, mark.index) : plain;
    if (!groupsOfThree(integer, ' ')) return undefined;
    return [integer.replaceAll(' ', ''), mark ? plain.slice(mark.index + 1) : ''];
  }
  const decimal = dots + commas === 1 ? (dots ? '.' : ',') : body.lastIndexOf('.') > body.lastIndexOf(',') ? '.' : ',';
  if (dots + commas <= 1) {
    const [integer = '', fraction = ''] = body.split(decimal);
    return integer + fraction === '' ? undefined : [integer, fraction];
  }
  if (dots > 0 && commas > 0) {
    const parts = body.split(decimal);
    const thousands = decimal === '.' ? ',' : '.';
    const [integer = '', fraction = ''] = parts;
    if (parts.length !== 2 || !groupsOfThree(integer, thousands)) return undefined;
    return [integer.replaceAll(thousands, ''), fraction];
  }
  const mark = dots > 0 ? '.' : ',';
  return groupsOfThree(body, mark) ? [body.replaceAll(mark, ''), ''] : undefined;
}

/** A text as whole number of 10^-10; undefined if it is no number of the engine. */
export function number(text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined;
  const letters = Array.from(text);
  dropAround(letters);
  let sign = 1n;
  if (letters[0] === '-' || letters[0] === '−' || letters[0] === '+') sign = letters.shift() === '+' ? 1n : -1n;
  dropAround(letters);
  letters.reverse();
  // The letters are reversed, so EUR reads RUE.
  for (let again = true; again;) {
    again = false;
    while (letters[0] !== undefined && (isBlank(letters[0]) || currency.matches(letters[0]))) letters.shift();
    if (letters.slice(0, 3).join('').toUpperCase() === 'RUE') again = letters.splice(0, 3).length > 0;
  }
  const body = letters.toReversed().join('');
  if (!Array.from(body).every((letter) => /[0-9.,]/.test(letter) || isBlank(letter))) return undefined;
  const isMoney = letters.length < Array.from(text).length && (currency.matcher(text).find() || /eur/i.test(text));
  const parts =
    isMoney && /^[1-9]\d{0,2}[.,]\d{3}$/.test(body) ? ([body.replace(/[.,]/, ''), ''] as const) : digits(body);
  if (!parts) return undefined;
  const [integer, fraction] = parts;
  const scaled = BigInt(integer + fraction.slice(0, 10).padEnd(10, '0'));
  const rounded = scaled + ((fraction[10] ?? '0') >= '5' ? 1n : 0n);
  return rounded >= 10n ** 38n ? undefined : sign * rounded;
}

/** A whole number of at most a billion in absolute value; undefined for anything else. */
export function wholeNumber(text: string): number | undefined {
  const value = number(text);
  if (value === undefined || value % SCALE !== 0n) return undefined;
  const units = value / SCALE;
  return units > 1_000_000_000n || units < -1_000_000_000n ? undefined : Number(units);
}

/** The result in cents, rounded half away from zero, as text; undefined if it cannot be calculated. */
export function calculate(left: bigint | undefined, operation: string, right: bigint | undefined): string | undefined {
  const limit = 10n ** 18n * SCALE;
  const size = (value: bigint) => (value < 0n ? -value : value);
  if (left === undefined || right === undefined || size(left) >= limit || size(right) >= limit) return undefined;
  // Result in units of one: numerator / denominator.
  let [numerator, denominator] = [0n, SCALE];
  if (operation === 'add') numerator = left + right;
  if (operation === 'subtract') numerator = left - right;
  if (operation === 'multiply') [numerator, denominator] = [left * right, SCALE * SCALE];
  if (operation === 'divide') [numerator, denominator] = [left, right];
  if (denominator === 0n) return undefined;
  const negative = numerator < 0n !== denominator < 0n;
  const [top, bottom] = [size(numerator), size(denominator)];
  const cents = (top * 100n * 2n + bottom) / (bottom * 2n);
  if (cents >= 10n ** 20n) return undefined;
  const text = cents.toString().padStart(3, '0');
  return `${negative && cents > 0n ? '-' : ''}${text.slice(0, -2)}.${text.slice(-2)}`;
}

export function matches(pattern: string, text: string): boolean {
  return RE2JS.compile(pattern).matcher(text).find();
}

/** Replaces all matches as RE2 does: an empty match directly after another match does not count. `rewrite` has groups as `\1`. */
export function replaceAll(pattern: string, text: string, rewrite: string): string {
  const matcher = RE2JS.compile(pattern).matcher(text);
  let [result, copied, lastEnd] = ['', 0, -1];
  while (matcher.find()) {
    const [start, end] = [matcher.start(), matcher.end()];
    if (start === end && start === lastEnd) continue;
    result += text.slice(copied, start);
    for (let at = 0; at < rewrite.length; at += 1) {
      const [letter, next] = [rewrite[at] ?? '', rewrite[at + 1] ?? ''];
      if (letter === '\\' && next >= '0' && next <= '9') {
        if (Number(next) <= matcher.groupCount()) result += matcher.group(Number(next)) ?? '';
        at += 1;
      } else if (letter === '\\' && next === '\\') {
        result += '\\';
        at += 1;
      } else result += letter;
    }
    [copied, lastEnd] = [end, end];
  }
  return result + text.slice(copied);
}
