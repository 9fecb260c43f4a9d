import type { ImportRun } from '#feed/import/reader/import-run.ts';
import type { SampleRecord } from './csv-dialect.ts';
import type { CsvDialect } from './csv-parser.ts';

const isQuoted = (cell: string) => cell.length > 1 && cell.startsWith('"') && cell.endsWith('"');

/**
 * Whether all cells are enclosed in quotes although the dialect has none: quotes inside the values, as in
 * `"Rohr 3/4" lang"`, are not doubled in so many rows that a dialect with quotes would lose most of them.
 */
export function standsInQuotes(dialect: CsvDialect, sample: readonly SampleRecord[]): boolean {
  if (dialect.quote !== '' || sample.length < 2) return false;
  const whole = sample.filter(({ cells }) => cells.every((cell) => cell === '' || isQuoted(cell)));
  return whole.length >= sample.length * 0.9;
}

export const withoutOuterQuotes = (cells: readonly string[]): string[] =>
  cells.map((cell) => (isQuoted(cell) ? cell.slice(1, -1).replaceAll('""', '"') : cell));

export function warnOfOuterQuotes(run: ImportRun): void {
  run.warnings.once(
    'quotes_not_doubled',
    'In den meisten Zeilen stehen Anführungszeichen in einem Wert, ohne verdoppelt zu sein („"Rohr 3/4" lang"“). Die Zeilen wurden deshalb nur am Trennzeichen geteilt und die äußeren Anführungszeichen entfernt. Bitte prüfen Sie die Werte und lassen Sie den Export Anführungszeichen verdoppeln.',
  );
}
