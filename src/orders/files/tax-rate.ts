/** Hundredths of a percent, from a share (0.19) or percents (19): the openTRANS standard means the first, programs write both. null: neither. */
export function taxRate(text: string): number | null {
  const isPercent = text.includes('%');
  const bare = text.replace('%', '').replace(',', '.').trim();
  const rate = Number(bare);
  if (bare === '' || !(rate >= 0 && rate <= 100)) return null;
  return Math.round(rate < 1 && !isPercent ? rate * 10_000 : rate * 100);
}
