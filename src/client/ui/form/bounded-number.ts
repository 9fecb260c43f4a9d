/**
 * Parses a number field's content and limits it to the bounds; undefined if it is not a whole number. A half is no count: „2,5“
 * rounded would be a number that nobody typed.
 */
export function boundedNumber(typed: number | string, { min, max }: { min: number; max: number }): number | undefined {
  const number = typeof typed === 'string' && typed.trim() === '' ? Number.NaN : Number(typed);
  return Number.isInteger(number) ? Math.min(max, Math.max(min, number)) : undefined;
}
