/**
 * What a spreadsheet runs as a formula begins so. Some skip a control character or a line break before it, and the first of them is
 * enough: what follows it is not looked at.
 */
const formulaStart = /^[=+\-@\t\r\n\0]/;

/** Whether a spreadsheet may take this text for a formula. Plain numbers are the caller's matter, because how they are written differs. */
export const startsLikeFormula = (text: string): boolean => formulaStart.test(text);
