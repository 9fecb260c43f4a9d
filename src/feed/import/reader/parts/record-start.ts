import { sampleRecords } from '#feed/import/reader/csv/csv-dialect.ts';
import type { CsvDialect } from '#feed/import/reader/csv/csv-parser.ts';

/** Lines that are tried: an article's text may have many. */
const MOST_LINES = 2000;
/** Records that must follow, all of the table's width, and the characters among which they are searched. */
const RECORDS = 50;
const LEAST_RECORDS = 5;
const LOOK_AHEAD = 512 * 1024;

/**
 * Returns the offset of the first record that begins in these bytes from the middle of a CSV file; undefined if none is certain.
 * Whether the bytes begin within quotes is unknown: a line that only looks like a record is told by those that follow. That it is
 * right shows when the records before it are read: they must end there.
 */
export function recordStart(bytes: Buffer, dialect: CsvDialect, width: number): number | undefined {
  // One character a byte: delimiters, quotes and line ends are ASCII, so other letters do not matter.
  const text = bytes.toString('latin1');
  let start = text.indexOf('\n') + 1;
  for (let line = 0; start > 0 && line < MOST_LINES; line++) {
    const { records, errors, literal } = sampleRecords(text.slice(start, start + LOOK_AHEAD), dialect, false, RECORDS);
    const fits = errors === 0 && literal === 0 && records.every(({ cells }) => cells.length === width);
    if (fits && records.length >= LEAST_RECORDS) return start;
    start = text.indexOf('\n', start) + 1;
  }
  return undefined;
}
