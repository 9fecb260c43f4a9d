/** Characters from which a part is a tracking number of its own: carriers print groups of four or so. */
const WHOLE = 10;

/**
 * Returns a tracking number without the blanks that carriers print in it and that are pasted with it: 0034 0434 is 00340434. Two
 * numbers in one text keep their blank, so that they are not taken for one.
 */
export function bareTracking(text: string): string {
  const parts = text.split(/[\s\u200b]+/).filter((part) => part !== '');
  return parts.join(parts.filter((part) => part.length >= WHOLE).length > 1 ? ' ' : '');
}

/** The usual ways in which carriers print a number without blanks: in groups of four, and as UPS does. */
export function printedTracking(bare: string): string[] {
  const [, ...ups] = /^(1Z)(.{3})(.{3})(.{2})(.{4})(.{4})$/i.exec(bare) ?? [];
  return [bare.replaceAll(/.{4}(?=.)/gs, '$& '), ...(ups.length > 0 ? [ups.join(' ')] : [])];
}
