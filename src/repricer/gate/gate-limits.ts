/**
 * The limit to read. The gate parses limits with its own, stricter code, so that a fault in either parser shows as a difference,
 * which holds the price. No imports, on purpose.
 */

type Side = 'min' | 'max' | 'standard';

/** Returns the cents of a field's text; null for anything that is not plainly a price above 0. */
export function limitOf(value: unknown, side: Side): number | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '';
  const parts = partsOf(text, typeof value === 'number');
  if (parts === null || parts.whole.length > 9) return null;
  const cents = BigInt(parts.whole) * 100n + BigInt(`${parts.decimals}00`.slice(0, 2));
  const rest = parts.decimals.slice(2);
  let more = 0n;
  if (side === 'min' && Array.from(rest).some((digit) => digit !== '0')) more = 1n;
  if (side === 'standard' && rest !== '' && Number(rest.charAt(0)) >= 5) more = 1n;
  const limit = Number(cents + more);
  return limit >= 1 && limit <= 99_999_999 ? limit : null;
}

/** Returns the digits before and after the decimal mark; null if the text is not a number or could mean two prices. */
function partsOf(text: string, exact: boolean): { whole: string; decimals: string } | null {
  // Remove 'EUR' before blanks: otherwise 'E UR' would become one.
  const bare = text.split('EUR').join('').split(/\s|€/).join('');
  const marks = Array.from(bare).filter((letter) => letter < '0' || letter > '9');
  if (bare === '' || marks.some((mark) => mark !== '.' && mark !== ',')) return null;
  const last = marks.at(-1);
  if (last === undefined) return { whole: bare, decimals: '' };
  const [decimals = '', ...others] = bare.split(last).toReversed();
  const wholeDigits = others.toReversed().join(last);
  if (decimals === '' || wholeDigits === '') return null;
  if (marks.length === 1) return decimals.length === 3 && !exact ? null : { whole: wholeDigits, decimals };
  const [thousands = ''] = marks;
  if (thousands === last || marks.slice(0, -1).some((mark) => mark !== thousands)) return null;
  const [first = '', ...groups] = wholeDigits.split(thousands);
  if (first.length < 1 || first.length > 3 || groups.some((group) => group.length !== 3)) return null;
  return { whole: [first, ...groups].join(''), decimals };
}
