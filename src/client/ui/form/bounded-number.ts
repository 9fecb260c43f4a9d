/** Parses a number field's content and limits it to the bounds; undefined if it is not a number. */
export function boundedNumber(typed: number | string, { min, max }: { min: number; max: number }): number | undefined {
  const number = typeof typed === 'string' && typed.trim() === '' ? Number.NaN : Number(typed);
  return Number.isFinite(number) ? Math.min(max, Math.max(min, Math.round(number))) : undefined;
}
