/**
 * Numbers as merchants write them: '1.234,56 €', 'EUR 12,5', '1,234.56', '-3', '1 234'. The rules (docs/engine.md): blanks,
 * currency signs and EUR at both ends are dropped; with both marks the last one is decimal; a single mark is decimal, but next to
 * a currency one before three digits separates thousands ('1.299 €'); several equal marks separate thousands. Thousands marks and
 * inner blanks must separate groups of three, so '12.05.2024' and '1.2.3' are no numbers.
 */

/** Unicode white space and the byte order mark; the definition of a blank everywhere in the product. */
export const BLANK = '\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';

const plain = '\\d+(?:[.,]\\d*)?|[.,]\\d+';
const blankGroups = `\\d{1,3}(?:[${BLANK}]\\d{3})+(?:[.,]\\d*)?`;

/**
 * The parts of the grammar, as patterns for JavaScript and, with its own notation for letters, RE2. No text matches in two ways:
 * JavaScript would try all of them, hours for a megabyte of currency signs.
 */
export const NUMBER_GRAMMAR = {
  pad: `(?:[${BLANK}\\p{Sc}]|[Ee][Uu][Rr])*`,
  /** Only together with the pad after it: optional by itself, it would leave two pads next to each other. */
  sign: '[+\\-−]',
  /** At most one mark, the decimal one. */
  oneMark: `${plain}|${blankGroups}`,
  /** Dots separate thousands. */
  dotGroups: '\\d{1,3}(?:(?:\\.\\d{3})+,\\d*|(?:\\.\\d{3}){2,})',
  /** Commas separate thousands. */
  commaGroups: '\\d{1,3}(?:(?:,\\d{3})+\\.\\d*|(?:,\\d{3}){2,})',
  /** With a currency: nobody writes thousandths of a euro next to its sign. */
  moneyGroups: '[1-9]\\d{0,2}[.,]\\d{3}',
  currency: '\\p{Sc}|[Ee][Uu][Rr]',
} as const;

const { pad, sign: signs, oneMark, dotGroups, commaGroups, moneyGroups, currency } = NUMBER_GRAMMAR;
const numberPattern = new RegExp(
  `^${pad}(?:(${signs})${pad})?(?:(${oneMark})|(${dotGroups})|(${commaGroups}))${pad}$`,
  'u',
);
const moneyPattern = new RegExp(`^(?=.*(?:${currency}))${pad}(?:(${signs})${pad})?(${moneyGroups})${pad}$`, 'su');
const blanks = new RegExp(`[${BLANK}]`, 'gu');

/** Returns the number of a text as canonical decimal text ('-1234.56') with all its digits; undefined if it is none. */
export function numberText(text: string): string | undefined {
  const money = moneyPattern.exec(text);
  const match = money ?? numberPattern.exec(text);
  if (!match) return undefined;
  const [, sign = ''] = match;
  const [, , either, dots, commas] = money ? [money[0], '', money[2]?.replace(/[.,]/, '')] : match;
  const marked = either ?? dots?.replaceAll('.', '') ?? commas?.replaceAll(',', '') ?? '';
  const [integer = '', fraction = ''] = marked.replaceAll(blanks, '').split(/[.,]/);
  const digits = `${integer || '0'}${fraction ? `.${fraction}` : ''}`;
  return sign === '' || sign === '+' ? digits : `-${digits}`;
}

/** Returns the number of a text in a column whose `mark` before exactly three digits separates thousands: '1.299' is 1299. */
export function numberTextIn(text: string, mark: 'point' | 'comma' | 'none' | undefined): string | undefined {
  const parted = mark === 'point' || mark === 'comma' ? marked[mark].test(text) : false;
  return numberText(parted ? text.replace(/[.,]/, '') : text);
}

const marked = {
  point: /^[\t\n\f\r ]*[+-]?[1-9]\d{0,2}\.\d{3}[\t\n\f\r ]*$/,
  comma: /^[\t\n\f\r ]*[+-]?[1-9]\d{0,2},\d{3}[\t\n\f\r ]*$/,
};

/**
 * Returns a hint on how a typed number with a point before exactly three digits is read ('1.000' is one), and how to write the
 * thousand. undefined if it is unambiguous.
 */
export function pointHint(text: string): string | undefined {
  const number = numberText(text);
  if (!marked.point.test(text) || number === undefined) return undefined;
  return `Gelesen als ${number.replace('.', ',')}. Ist ${text.trim().replace('.', '')} gemeint, lassen Sie den Punkt weg.`;
}

/** Parses a whole number, e.g. a count of characters; undefined for anything else and for numbers longer than any list. */
export function wholeNumber(text: string): number | undefined {
  const canonical = numberText(text);
  if (canonical === undefined || !/^-?\d+(?:\.0*)?$/.test(canonical)) return undefined;
  const value = Number(canonical);
  return Math.abs(value) <= 1_000_000_000 ? value : undefined;
}

/** Returns the lines of a text area: ended by LF, CR LF or CR; a final line end starts no further line; '' has no lines. */
export function textLines(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
