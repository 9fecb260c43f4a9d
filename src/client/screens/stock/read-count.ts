/** Parses a typed or pasted count („1.000“, „1 000 “); undefined unless it is a whole number from 0 to 9.999.999. */
export function readCount(text: string): number | undefined {
  const bare = text.replaceAll(/\s/g, '');
  const digits = /^\d{1,3}(?:\.\d{3})+$/.test(bare) ? bare.replaceAll('.', '') : bare;
  return /^\d{1,7}$/.test(digits) ? Number(digits) : undefined;
}
