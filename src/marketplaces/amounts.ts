/**
 * Cents of an amount of money by its text, never by a product: 10.1 * 100 is not 1010. JSON numbers are read through their shortest
 * text, which is the one that was sent. Null: no amount.
 */
export function centsOfAmount(amount: unknown): number | null {
  const text = typeof amount === 'number' ? String(amount) : typeof amount === 'string' ? amount.trim() : '';
  const match = /^(-?)(\d{1,12})(?:\.(\d+))?$/.exec(text);
  if (!match) return null;
  const [, sign, whole, fraction = ''] = match;
  const cents = Number(whole) * 100 + Number(fraction.slice(0, 2).padEnd(2, '0')) + (fraction.charAt(2) >= '5' ? 1 : 0);
  return sign === '-' ? -cents : cents;
}

/** The amount of whole cents as marketplaces write it: 1399 is 13.99. */
export function amountOfCents(cents: number): number {
  return Number(`${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`);
}

/**
 * What one piece costs of a line of which only the sum is known, and the discount that keeps the sum to the cent: 10.00 for three
 * pieces is 3.34 each less 0.02.
 */
export function pieceOfSum(cents: number, pieces: number): { unit: number; discount: number } {
  const unit = Math.ceil(cents / pieces);
  return { unit, discount: unit * pieces - cents };
}
