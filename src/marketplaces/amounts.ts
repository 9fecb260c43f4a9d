/**
 * Parses an amount of money into cents from its text, never by multiplication: 10.1 * 100 is not 1010. A JSON number is read by
 * its shortest text, which is the one that was sent. Null: not an amount.
 */
export function centsOfAmount(amount: unknown): number | null {
  const text = typeof amount === 'number' ? String(amount) : typeof amount === 'string' ? amount.trim() : '';
  const match = /^(-?)(\d{1,12})(?:\.(\d+))?$/.exec(text);
  if (!match) return null;
  const [, sign, whole, fraction = ''] = match;
  const cents = Number(whole) * 100 + Number(fraction.slice(0, 2).padEnd(2, '0')) + (fraction.charAt(2) >= '5' ? 1 : 0);
  return sign === '-' ? -cents : cents;
}

/** Returns whole cents as the amount that marketplaces write: 1399 is 13.99. */
export function amountOfCents(cents: number): number {
  return Number(`${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`);
}

/**
 * Returns the price of one piece if only the line's sum is known, and the discount that keeps the sum exact: 10.00 for three
 * pieces is 3.34 each less 0.02.
 */
export function pieceOfSum(cents: number, pieces: number): { unit: number; discount: number } {
  const unit = Math.ceil(cents / pieces);
  return { unit, discount: unit * pieces - cents };
}

/** Decimal places of a price that are read: screws are sold at 0.0375. */
const DIGITS = 6;

/**
 * Like `pieceOfSum`, for a price that may hold fractions of a cent and is the price of `of` pieces; tax multiplies it by `factor`
 * / 10,000. It is rounded once, for all pieces together: rounding each of a thousand screws would cost two euros too much. Null:
 * no price above 0, or no whole number of pieces.
 */
export function pieceOfPrice(
  amount: string,
  pieces: number,
  { of = 1, factor = 10_000 }: { of?: number; factor?: number } = {},
): { unit: number; discount: number } | null {
  const [, whole, fraction = ''] = /^(\d{1,12})(?:\.(\d+))?$/.exec(amount.trim()) ?? [];
  const parts = Math.round(of * 1000);
  if (whole === undefined || !Number.isSafeInteger(pieces) || pieces < 1 || !Number.isSafeInteger(parts) || parts < 1)
    return null;
  const millionths = BigInt(whole + fraction.slice(0, DIGITS).padEnd(DIGITS, '0'));
  const over = 10n ** 8n * BigInt(parts);
  const sum = (2n * millionths * BigInt(factor) * BigInt(pieces) * 1000n + over) / (2n * over);
  return pieceOfSum(Number(sum), pieces);
}
