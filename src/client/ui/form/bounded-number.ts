/** What stands in a number field as a number within its bounds; undefined while nothing readable stands there. */
export function boundedNumber(typed: number | string, { min, max }: { min: number; max: number }): number | undefined {
  const number = typeof typed === 'string' && typed.trim() === '' ? Number.NaN : Number(typed);
  return Number.isFinite(number) ? Math.min(max, Math.max(min, Math.round(number))) : undefined;
}
