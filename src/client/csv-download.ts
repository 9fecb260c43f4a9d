import { startsLikeFormula } from '#shared/values/formula-start.ts';

const number = /^-?\d+(?:[.,]\d+)?$/;

/**
 * Formats cells (header row included) as CSV for spreadsheets: semicolons, quotes where needed, a byte order mark. Cells that a
 * spreadsheet would run as formulas get a leading apostrophe; plain negative numbers do not.
 */
export function csvOfCells(rows: readonly (readonly string[])[]): string {
  return `\ufeff${rows.map((row) => row.map(cell).join(';')).join('\r\n')}\r\n`;
}

/** Removes the apostrophe that `cell` put before a formula. */
export function unguarded(text: string): string {
  return text.startsWith("'") && needsGuard(text.slice(1)) ? text.slice(1) : text;
}

/** Also true for a formula that already follows apostrophes of its own: they would be taken for ours. */
const needsGuard = (text: string): boolean => startsLikeFormula(text.replace(/^'+/, ''));

function cell(value: string): string {
  const safe = needsGuard(value) && !number.test(value) ? `'${value}` : value;
  return /[";\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Downloads a text as a CSV file. */
export function downloadText(name: string, text: string): void {
  downloadFile(name, new Blob([text], { type: 'text/csv;charset=utf-8' }));
}

/** Downloads a file under a name. */
export function downloadFile(name: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
