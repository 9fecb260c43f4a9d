import { centsOfAmount } from '#marketplaces/amounts.ts';
import { isWithoutParts } from '#shared/values/money-text.ts';

/** `unclear`: the text may mean a thousand or a few, so nothing is made of it. `exact`: with all its decimals and a point; '': no amount. */
export type ReadAmount = { cents: number | null; unclear: boolean; exact: string };

const nothing: ReadAmount = { cents: null, unclear: false, exact: '' };
const amountOf = (exact: string): ReadAmount => ({ cents: centsOfAmount(exact), unclear: false, exact });
const money = '([a-z]{3}|euro|us\\$|fr\\.|zł|kč|kr\\.?|[€$£¥])?';
/** A number with its marks: a currency before or behind it, a sign before its digits or a minus behind them; no other words. */
const amount = new RegExp(`^([-+]?)${money}([-+]?)(\\d[\\d.,]*|[.,]\\d+)(-?)${money}$`, 'i');

export type Mark = '.' | ',';

const withParts = /^\D*\d+(?:[.,]\d{3})*([.,])(\d{1,2})[^\d.,]*$/;

/**
 * The decimal mark of a file, where the amounts of two rows show it by two digits behind it and none shows the other; undefined where nobody
 * can tell. `rows`: the amounts of each.
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

/** Whether amounts of a column have no cents: beside 899 the mark in 1.299 may be one of thousands wherever others have cents. */
export const isInWholes = (texts: readonly string[]): boolean =>
  texts.some((text) => /^\D*\d{3,}\D*$/.test(text)) && !texts.some((text) => withParts.test(text));

/**
 * An amount as people and programs write it: 1.234,50 € or 1,234.50 or 12.5; the last mark is the decimal one. A single mark before
 * three digits is unclear, but beside the sign of a currency, where nobody writes thousandths, and in a currency without parts. `decimal`: what
 * other amounts of the file show.
 */
export function readAmount(text: string, currency: string, decimal?: Mark): ReadAmount {
  // 12,- and 12,– are whole amounts.
  const bare = text
    .replaceAll(/[\s'’]/g, '')
    .replace(/[.,][-–—]+/, '')
    .replace('\u2212', '-');
  const [, first = '', front = '', before = '', digits = '', behind = '', back = ''] = amount.exec(bare) ?? [];
  if (digits === '') return nothing;
  const isMoney = front + back !== '' || isWithoutParts(currency);
  const sign = (first + before + behind).includes('-') ? '-' : '';
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

/** Why a quantity is refused that may be a thousand or one, for people. */
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

/** The code of a currency, from it or its sign; EUR where nothing is said, and what is unknown as it is, in capitals. */
export function currencyCode(text: string): string {
  const capitals = text.toUpperCase() || 'EUR';
  return signs[capitals] ?? capitals;
}
