import { startsLikeFormula } from '#shared/values/formula-start.ts';

const number = /^-?\d+(?:[.,]\d+)?$/;

/**
 * Cells, the head among them, as CSV for spreadsheets: semicolons, quotes where needed, a byte order mark. Cells that would run as
 * formulas get an apostrophe in front; plain negative numbers are none.
 */
export function csvOfCells(rows: readonly (readonly string[])[]): string {
  return `\ufeff${rows.map((row) => row.map(cell).join(';')).join('\r\n')}\r\n`;
}

/** What `cell` put before a formula taken away again. */
export function unguarded(text: string): string {
  return text.startsWith("'") && needsGuard(text.slice(1)) ? text.slice(1) : text;
}

/** A formula, or one behind apostrophes of its own, which would be taken for ours. */
const needsGuard = (text: string): boolean => startsLikeFormula(text.replace(/^'+/, ''));

function cell(value: string): string {
  const safe = needsGuard(value) && !number.test(value) ? `'${value}` : value;
  return /[";\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Hands a text to the browser as a CSV file. */
export function downloadText(name: string, text: string): void {
  downloadFile(name, new Blob([text], { type: 'text/csv;charset=utf-8' }));
}

/** Hands a file to the browser. */
export function downloadFile(name: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
