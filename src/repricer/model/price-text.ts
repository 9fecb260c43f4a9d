/**
 * How to round to cents. Prices in fields, as merchants write them, are parsed exactly. A single mark followed by three digits
 * ('1.299') may mean 1,30 € or 1.299 €: such a text is no price, and neither is anything that is not plainly one.
 */

export type Rounding = 'up' | 'down' | 'half';

/** More digits than any price has; keeps the arithmetic within exact integers. */
const MOST_DIGITS = 12;

const plain = /^(\d+)(?:[.,](\d{1,2}|\d{4,}))?$/;
const german = /^(\d{1,3}(?:\.\d{3})+),(\d+)$/;
const english = /^(\d{1,3}(?:,\d{3})+)\.(\d+)$/;
const exact = /^(\d+)(?:\.(\d+))?$/;

/** Returns the cents of a field's value; undefined if it is missing, ambiguous, not a price or not above 0. */
export function parsePrice(value: unknown, rounding: Rounding): number | undefined {
  if (typeof value === 'number') {
    const match = exact.exec(String(value));
    return match ? centsOf(match[1] ?? '', match[2] ?? '', rounding) : undefined;
  }
  if (typeof value !== 'string') return undefined;
  const simple = simpleCents(value);
  if (simple !== undefined) return simple > 0 ? simple : undefined;
  const text = value.replaceAll(/EUR|€|\s/g, '');
  const match = plain.exec(text) ?? german.exec(text) ?? english.exec(text);
  return match ? centsOf((match[1] ?? '').replaceAll(/[.,]/g, ''), match[2] ?? '', rounding) : undefined;
}

/** Parses '12', '12,5', '12.50', '1.299,00' without a pattern, which nearly every field holds. undefined: another form. */
function simpleCents(text: string): number | undefined {
  const { length } = text;
  if (length === 0 || length > MOST_DIGITS) return undefined;
  const mark = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  const end = mark < 0 ? length : mark;
  const decimals = length - end - 1;
  if (end === 0 || decimals > 2 || decimals === 0) return undefined;
  // The other mark may separate groups of three digits, but then all of them.
  const group = mark < 0 ? undefined : text.charCodeAt(mark) === COMMA ? POINT : COMMA;
  let groups = 0;
  let cents = 0;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (at === mark) continue;
    if (code >= ZERO && code <= ZERO + 9) cents = cents * 10 + (code - ZERO);
    else if (code === group && at > 0 && at < end && (end - at) % 4 === 0) groups++;
    else return undefined;
  }
  if (groups > 0 && end - 4 * groups > 3) return undefined;
  return decimals === 2 ? cents : decimals === 1 ? cents * 10 : cents * 100;
}

const [ZERO, POINT, COMMA] = [0x30, 0x2e, 0x2c];

function centsOf(whole: string, fraction: string, rounding: Rounding): number | undefined {
  const digits = whole.replace(/^0+/, '');
  if (digits.length > MOST_DIGITS) return undefined;
  const cents = Number(digits) * 100 + Number(fraction.slice(0, 2).padEnd(2, '0'));
  const rest = fraction.slice(2);
  const rounded =
    rest === ''
      ? cents
      : rounding === 'up'
        ? cents + (/[1-9]/.test(rest) ? 1 : 0)
        : rounding === 'half'
          ? cents + (rest.charAt(0) >= '5' ? 1 : 0)
          : cents;
  return rounded > 0 ? rounded : undefined;
}

/** REP-06: parses '0.00' to '0.99' by its text, never by a product (0.29 * 100 is 28.999…); undefined for anything else. */
export function parseDifference(value: string | number): number | undefined {
  const match = /^0(?:\.(\d{1,2}))?$/.exec(String(value).trim());
  return match ? Number((match[1] ?? '').padEnd(2, '0')) : undefined;
}
