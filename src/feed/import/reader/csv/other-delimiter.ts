import type { ImportRun } from '#feed/import/reader/import-run.ts';
import { countText } from '#feed/import/reader/limits.ts';
import { delimiterName, sampleRecords, usualDelimiters } from './csv-dialect.ts';
import type { CsvPlan } from './csv-read.ts';

/** With two columns, a text that contains a comma would look like a row. */
const leastWidth = 3;
const longest = 64 * 1024;

/** Returns the delimiter that splits a row into the table's number of cells if the table's own does not split it at all. */
function otherDelimiter({ dialect, table: { width } }: CsvPlan, row: string): string | undefined {
  if (width < leastWidth || row.length > longest) return undefined;
  const text = row.trimEnd();
  return usualDelimiters.find((delimiter) => {
    if (delimiter === dialect.delimiter || !text.includes(delimiter)) return false;
    const { records, errors } = sampleRecords(text, { ...dialect, delimiter }, true, 2);
    return errors === 0 && records.length === 1 && records[0]?.cells.length === width;
  });
}

/** Returns why a row is not the table's: concatenated files may change their delimiter halfway. Counts such rows. */
export function whyOtherDelimiter(run: ImportRun, plan: CsvPlan, row: string, line: number): string | undefined {
  const found = otherDelimiter(plan, row);
  if (found === undefined) return undefined;
  const instead = `mit „${delimiterName(found)}“ statt mit „${delimiterName(plan.dialect.delimiter)}“ getrennt`;
  run.warnings.count('delimiter_changes', line, (count, first) =>
    count === 1
      ? `Zeile ${countText(first ?? 0)} ist ${instead}. Sie wurde nicht übernommen und steht in der Liste der abgelehnten Zeilen. Bitte berichtigen Sie sie, oder exportieren Sie die Datei neu.`
      : `Ab Zeile ${countText(first ?? 0)} sind ${countText(count)} Zeilen ${instead}. Sie wurden nicht übernommen und stehen in der Liste der abgelehnten Zeilen. Bitte exportieren Sie die Datei neu, oder packen Sie beide Teile als zwei Dateien mit Kopfzeile in ein ZIP-Archiv.`,
  );
  return `Die Zeile ist ${instead}.`;
}
