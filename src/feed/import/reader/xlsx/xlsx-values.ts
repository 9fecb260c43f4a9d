/**
 * How a cell shows its number: unchanged, as a date, as a duration, or as an article number with zeros or letters in front; `zero`:
 * the text shown instead of zero.
 */
export type NumberKind = 'number' | 'date' | 'duration' | { digits: number; before: string; zero: string | undefined };

const builtInDates = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 47, ...range(27, 36), ...range(50, 58)]);

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** Returns the kind of a number format; `code` is undefined for built-in formats. */
export function numberKind(id: number, code: string | undefined): NumberKind {
  if (code === undefined) return id === 46 ? 'duration' : builtInDates.has(id) ? 'date' : 'number';
  const numbered = articleNumber(code);
  if (numbered !== undefined) return numbered;
  const [positive = ''] = code.replaceAll(/"[^"]*"|\\.|_.|\*./gu, '').split(';');
  if (/\[(h+|m+|s+)\]/iu.test(positive)) return 'duration';
  const bare = positive.replaceAll(/\[[^\]]*\]/gu, '');
  return /[dmyhs]/iu.test(bare.replaceAll(/general|standard|am\/pm|a\/p/giu, '')) || /am\/pm/iu.test(bare)
    ? 'date'
    : 'number';
}

/**
 * A format of texts followed by zeros: texts in quotes, characters after a backslash, and the few that need neither. A language may
 * precede them, and the formats of negative numbers and texts may follow: `[$-407]00000;-00000`.
 */
const zerosBehindTexts = /^(?:\[\$-[\da-f]{1,8}\])?((?:"[^"]*"|\\.|[-/])*)(0{1,40})(?:;.*)?$/isu;

/**
 * The third of a format's sections is for zero: `00;-00;"-"`. Only texts count, with colours and gaps (`_-`, `?`) around them;
 * another number format would be no article number.
 */
const zeroAsText = /^(?:(?:"[^"]*"|\\.|[^;"\\])*;){2}((?:"[^"]*"|\\.|_.|\[[^\]]*\]|[-/ ?])*)(?:;|$)/su;

/** The text of texts in quotes and characters after backslashes, without colours and gaps. */
const unquoted = (texts: string) => texts.replaceAll(/"([^"]*)"|\\(.)|_.|\[[^\]]*\]|[ ?]/gu, '$1$2');

/** Returns an article number's format: `00000` shows 11 as 00011, `"ART-"0000` shows 12 as ART-0012. Others are quantities. */
function articleNumber(code: string): Exclude<NumberKind, string> | undefined {
  const [, texts = '', zeros = ''] = zerosBehindTexts.exec(code) ?? [];
  const before = unquoted(texts);
  const filled = zeros.length > 1;
  const numbers = before === '' ? filled : zeros !== '' && beginsArticleNumber(before, filled);
  if (!numbers) return undefined;
  const zero = zeroAsText.exec(code)?.[1];
  return { digits: zeros.length, before, zero: zero === undefined ? undefined : unquoted(zero) };
}

/** Whether a text before a number belongs to it (ART-0012), unlike `EUR 12` or `ca. 5`. `filled`: zeros are between them. */
export const beginsArticleNumber = (text: string, filled: boolean): boolean =>
  /^[\p{L}\d][\p{L}\d._/-]{0,30}$/u.test(text) && /\p{L}/u.test(text) && (filled || /[-_/]$/u.test(text));

/** Returns a whole number as its format shows it. */
export function inFormat(number: string, kind: NumberKind): string {
  if (typeof kind !== 'object' || !/^\d+$/u.test(number)) return number;
  return number === '0' && kind.zero !== undefined ? kind.zero : kind.before + number.padStart(kind.digits, '0');
}

/** Removes zeros at the end. Not a regular expression: it would check each run of zeros once for every zero in it. */
export function withoutEndZeros(text: string): string {
  let end = text.length;
  while (text[end - 1] === '0') end -= 1;
  return text.slice(0, end);
}

/** Expands an exponent exactly: 4.0E+3 -> 4000; other texts are returned unchanged. */
export function plainDigits(text: string): string {
  const found = /^(-?)(\d+)(?:\.(\d*))?[eE]([+-]?\d{1,3})$/u.exec(text);
  if (!found) return text;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = found;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  const padded = point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0');
  const at = point <= 0 ? 1 : point;
  const head = padded.slice(0, at).replace(/^0+(?=\d)/u, '');
  const tail = withoutEndZeros(padded.slice(at));
  return `${sign}${head}${tail === '' ? '' : `.${tail}`}`;
}

/**
 * Returns a number as a person would write it, with the fewest digits. Workbooks hold 17 digits (3.4986000000000002 for 3.4986), and
 * Google's and Java's hold 1001.0 for 1001; whole numbers keep every digit.
 */
export function numberText(text: string): string {
  const plain = plainDigits(text);
  if (!/^-?\d+\.\d+$/u.test(plain)) return plain;
  if (plain.replaceAll(/\D/gu, '').length >= 16) return plainDigits(String(Number(plain)));
  return withoutEndZeros(plain).replace(/\.$/u, '');
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** Returns year, month and day for a number of days since 1970-01-01. */
function civil(days: number): string {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthIndex = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * monthIndex + 2) / 5) + 1;
  const month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
}

/** Returns an Excel serial number as ISO text: date, date and time, or time alone; anything else unchanged. */
export function dateText(raw: string, date1904: boolean): string {
  const serial = Number(raw);
  if (!Number.isFinite(serial) || serial < 0 || serial > 2_958_466) return raw;
  const seconds = Math.round(serial * 86_400);
  const day = Math.floor(seconds / 86_400);
  const rest = seconds - day * 86_400;
  const time = `${two(Math.floor(rest / 3600))}:${two(Math.floor(rest / 60) % 60)}:${two(rest % 60)}`;
  if (serial < 1 && !date1904) return time;
  const epoch = date1904 ? -24_107 : day < 60 ? -25_568 : -25_569;
  const date = civil(day + epoch);
  return rest === 0 ? date : `${date}T${time}`;
}

export function durationText(raw: string): string {
  const serial = Number(raw);
  if (!Number.isFinite(serial) || serial < 0) return raw;
  const seconds = Math.round(serial * 86_400);
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** Returns a column index from 0: 'BC12' -> 54; -1 for anything else. */
export function columnOf(reference: string): number {
  const letters = /^[A-Z]{1,3}/u.exec(reference)?.[0];
  if (letters === undefined) return -1;
  let index = 0;
  for (const letter of letters) index = index * 26 + letter.charCodeAt(0) - 64;
  return index - 1;
}

/** Returns the letters of a column index: 54 -> 'BC'. */
export function columnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : columnLetters(Math.floor(index / 26) - 1) + last;
}

/** Decodes escapes such as `_x000D_`, which workbooks use for characters that XML cannot hold. */
export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replaceAll(/_x([\da-fA-F]{4})_/gu, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
