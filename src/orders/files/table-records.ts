import { parse } from 'csv-parse/sync';
import { KontorError } from '#platform/errors.ts';

/** The rows of a table that people paste or programs export; the delimiter is the one its first line has most of. @throws KontorError with `unreadable` */
export function tableRecords(text: string, unreadable: string): string[][] {
  const first = text.split(/\r?\n/, 1)[0] ?? '';
  const delimiter = (['\t', ';', ',', '|'] as const).toSorted(
    (one, other) => first.split(other).length - first.split(one).length,
  )[0];
  const options = { bom: true, relax_column_count: true, skip_empty_lines: true, trim: true };
  try {
    // Reports with tabs do not quote: a quote inside a cell is one.
    const records: string[][] = parse(text, { ...options, delimiter, relax_quotes: true });
    return records.map((record) => record.map(shownText));
  } catch (error) {
    throw new KontorError(422, 'unreadable', unreadable, { cause: error });
  }
}

/** Programs write ="007" so that spreadsheets keep the zeros: what they show is meant. */
const shownText = (cell: string): string => /^="([^"]*)"$/.exec(cell)?.[1]?.trim() ?? cell;

/** Why a number out of a spreadsheet is none any more: 3,40434E+19 has lost its digits for good. undefined: it is whole. */
export function cutNumber(text: string, label: 'Bestellnummer' | 'Sendungsnummer'): string | undefined {
  if (!/^\d+(?:[.,]\d+)?E\+\d+$/i.test(text)) return undefined;
  return `„${text}“ ist keine vollständige ${label} mehr: die Tabellenkalkulation hat sie gekürzt. Bitte formatieren Sie die Spalte als Text und fügen Sie die Nummern neu ein.`;
}
