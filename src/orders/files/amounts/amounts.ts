import { centsOfAmount } from '#marketplaces/amounts.ts';
import { isWithoutParts } from '#shared/values/money-text.ts';

/**
 * `unclear`: the text may mean a thousand or a few, so it is not converted. `exact`: all decimals with a point; '' if there is no
 * amount.
 */
export type ReadAmount = { cents: number | null; unclear: boolean; exact: string };

const nothing: ReadAmount = { cents: null, unclear: false, exact: '' };
const amountOf = (exact: string): ReadAmount => ({ cents: centsOfAmount(exact), unclear: false, exact });
const money = '([a-z]{3}|euro|us\\$|fr\\.|zł|kč|kr\\.?|[€$£¥])?';
/** A number with its marks: a currency before or after it, a sign before its digits or a minus after them; no other words. */
const amount = new RegExp(`^([-+]?)${money}([-+]?)(\\d[\\d.,]*|[.,]\\d+)(-?)${money}$`, 'i');

export type Mark = '.' | ',';

const withParts = /^\D*\d+(?:[.,]\d{3})*([.,])(\d{1,2})[^\d.,]*$/;

/**
 * Returns the decimal mark of a file if the amounts of two rows show it, by two digits after it, and none shows the other; else
 * undefined. `rows`: the amounts of each row.
 */
export function decimalMark(rows: readonly (readonly string[])[]): Mark | undefined {
  const marks = new Set<string>();
  let proofs = 0;
  for (const row of rows) {
    const parts = row.map((text) => withParts.exec(text) ?? []);
    for (const [, mark] of parts) if (mark !== undefined) marks.add(mark);
    if (parts.some(([, , digits]) => digits?.length === 2)) proofs += 1;
  }
  if (marks.size !== 1 || proofs < 2) return undefined;
  return marks.has('.') ? '.' : ',';
}

/**
 * Returns whether the amounts of a column have no cents: next to 899 the mark in 1.299 may be a thousands mark, even if other
 * columns have cents.
 */
export const isInWholes = (texts: readonly string[]): boolean =>
  texts.some((text) => /^\D*\d{3,}\D*$/.test(text)) && !texts.some((text) => withParts.test(text));

/**
 * Parses an amount as people and programs write it: 1.234,50 € or 1,234.50 or 12.5; the last mark is the decimal one. A single
 * mark before three digits is unclear, except next to a currency sign, where nobody writes thousandths, and in a currency without
 * parts. `decimal`: the mark that other amounts of the file show.
 */
export function readAmount(text: string, currency: string, decimal?: Mark): ReadAmount {
  // 12,- and 12,– are whole amounts.
  const bare = text
    .replaceAll(/[\s'’]/g, '')
    .replace(/[.,][-–—]+/, '')
    .replace('\u2212', '-');
  const [, first = '', front = '', before = '', digits = '', fraction = '', back = ''] = amount.exec(bare) ?? [];
  if (digits === '') return nothing;
  const isMoney = front + back !== '' || isWithoutParts(currency);
  const sign = (first + before + fraction).includes('-') ? '-' : '';
  const parts = digits.split(/[.,]/);
  const last = parts.at(-1) ?? '';
  const isOneKind = !(digits.includes('.') && digits.includes(','));
  const isGrouped = parts.slice(1).every((part) => part.length === 3) && /^[1-9]\d{0,2}$/.test(parts[0] ?? '');
  if (parts.length === 1 || (isOneKind && isGrouped && (parts.length > 2 || isMoney)))
    return amountOf(sign + parts.join(''));
  if (isOneKind && parts.length === 2 && isGrouped) {
    if (decimal === undefined) return { ...nothing, unclear: true };
    return amountOf(sign + parts.join(digits.includes(decimal) ? '.' : ''));
  }
  if (isOneKind && parts.length > 2) return nothing;
  const whole = parts.slice(0, -1).join('');
  return amountOf(`${sign}${whole === '' ? '0' : whole}.${last}`);
}

/** Returns the message that refuses a quantity which may mean a thousand or one. */
export const twoMeanings = (quantity: string): string =>
  `„${quantity}“ kann zweierlei heißen, zum Beispiel 1000 oder 1. Bitte ohne Punkt und Komma schreiben.`;

/** Signs that only one currency has. */
const signs: Readonly<Record<string, string>> = {
  '€': 'EUR',
  EURO: 'EUR',
  '£': 'GBP',
  US$: 'USD',
  ZŁ: 'PLN',
  KČ: 'CZK',
  'FR.': 'CHF',
};

/** Returns the currency code for a code or sign; EUR for '', and an unknown text in capitals. */
export function currencyCode(text: string): string {
  const capitals = text.toUpperCase() || 'EUR';
  return signs[capitals] ?? capitals;
}
