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
    return parse(text, { ...options, delimiter, relax_quotes: true });
  } catch (error) {
    throw new KontorError(422, 'unreadable', unreadable, { cause: error });
  }
}
