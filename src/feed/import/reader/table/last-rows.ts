import type { Warnings } from '#feed/import/reader/warnings.ts';

const total = /^(?:(?:end|gesamt|zwischen)?summen?|gesamt|insgesamt|(?:grand |sub)?total|Σ)(?:\s*[:=].*)?$/iu;
const closing = /^(?:#.*|-{3,}.*|.*\s.*|eof|ende)$/iu;

/** Warns about sums and closing words after the items; nothing is dropped because of a guess. `rows`: cells of each row. */
export function warnOfLastRows(warnings: Warnings, rows: readonly (readonly string[])[]): void {
  const odd = rows.find((cells) => {
    const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
    const [first = ''] = filled;
    if (filled.length < cells.length && filled.some((cell) => cell.length <= 64 && total.test(cell))) return true;
    return cells.length >= 3 && filled.length === 1 && (cells[0] ?? '').trim() !== '' && closing.test(first);
  });
  if (!odd) return;
  const shown = odd
    .filter((cell) => cell.trim() !== '')
    .join('; ')
    .slice(0, 100);
  warnings.once(
    'last_rows_odd',
    `Am Ende der Datei steht eine Zeile, die nach einer Summe oder einem Schlusssatz aussieht („${shown}“). Sie wurde als Artikel gelesen. Bitte lassen Sie solche Zeilen im Export weg.`,
  );
}
