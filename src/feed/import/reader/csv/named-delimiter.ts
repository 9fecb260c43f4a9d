import { planTable } from '#feed/import/reader/table/table-plan.ts';
import type { Warnings } from '#feed/import/reader/warnings.ts';
import { modalWidth, sampleRecords, sniffDialect, type SampleRecord } from './csv-dialect.ts';

type Text = { text: string; complete: boolean };

const recordsOf = ({ text, complete }: Text, delimiter: string | undefined) =>
  sampleRecords(text, sniffDialect(text, complete, { delimiter }), complete, 300).records;

/** Whether the delimiter that a `sep=` line names parts the header; else the line is of another program than the table. */
export function partsHeader(head: Text, named: string): boolean {
  const records = recordsOf(head, named);
  const first = records[0]?.cells.length ?? 0;
  if (first > 1 && first === modalWidth(records)) return true;
  const names = (found: readonly SampleRecord[]) => planTable(found, undefined).headers.length;
  return names(records) >= names(recordsOf(head, undefined));
}

const nameOf = (delimiter: string): string => (delimiter === '\t' ? 'Tabulator' : delimiter);

export function warnOfNamedDelimiter(warnings: Warnings, named: string, used: string): void {
  warnings.once(
    'sep_ignored',
    `Die erste Zeile nennt „${nameOf(named)}“ als Trennzeichen, die Kopfzeile ist aber mit „${nameOf(used)}“ getrennt. So wurde die Datei gelesen. Bitte prüfen Sie die Spalten.`,
  );
}
