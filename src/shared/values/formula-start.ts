/**
 * The beginning of texts that spreadsheets run as formulas. Some skip control characters or line breaks before it, so a leading
 * one is enough; the rest is not examined.
 */
const formulaStart = /^[=+\-@\t\r\n\0]/;

/**
 * Returns whether a spreadsheet may take this text for a formula. Callers must exclude plain numbers, because their format
 * differs.
 */
export const startsLikeFormula = (text: string): boolean => formulaStart.test(text);
