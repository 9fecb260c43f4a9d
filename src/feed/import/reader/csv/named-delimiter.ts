import { planTable } from '#feed/import/reader/table/table-plan.ts';
import type { Warnings } from '#feed/import/reader/warnings.ts';
import {
  delimiterName,
  modalWidth,
  sampleRecords,
  sniffDialect,
  usualDelimiters,
  type SampleRecord,
} from './csv-dialect.ts';

type Text = { text: string; complete: boolean };

function readBy({ text, complete }: Text, named: string | undefined) {
  const dialect = sniffDialect(text, complete, { delimiter: named });
  return { ...dialect, records: sampleRecords(text, dialect, complete, 300).records };
}

/** Whether the delimiter named by a `sep=` line splits the header; if not, another program wrote the table than that line. */
export function partsHeader(head: Text, named: string): boolean {
  const { records } = readBy(head, named);
  const first = records[0]?.cells.length ?? 0;
  if (first > 1 && first === modalWidth(records)) return true;
  const other = readBy(head, undefined);
  // Without the named delimiter there is no table: one column, or an unusual delimiter that only occurs in texts.
  if ((other.records[0]?.cells.length ?? 0) < 2 || !usualDelimiters.includes(other.delimiter)) return true;
  const names = (found: readonly SampleRecord[]) => planTable(found, undefined).headers.length;
  return names(records) >= names(other.records);
}

export function warnOfNamedDelimiter(warnings: Warnings, named: string, used: string): void {
  warnings.once(
    'sep_ignored',
    `Die erste Zeile nennt „${delimiterName(named)}“ als Trennzeichen, die Kopfzeile ist aber mit „${delimiterName(used)}“ getrennt. So wurde die Datei gelesen. Bitte prüfen Sie die Spalten.`,
  );
}
