/** Returns a size for German sentences: 1536 -> '1,5 KB'. */
export function sizeText(bytes: number): string {
  const units = ['Byte', 'KB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value.toLocaleString('de-DE', { maximumFractionDigits: unit === 0 ? 0 : 1 })} ${units[unit]}`;
}
