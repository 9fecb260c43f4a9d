import { CsvError, parse } from 'csv-parse/sync';
import { integerText } from '#shared/values/integer-text.ts';
import { NUMBER_MARK } from '#shared/workbook/workbook.ts';
import { KontorError } from '#platform/errors.ts';
import { tableBeginning } from '#platform/text/table-beginning.ts';

/** Parsing a table blocks the server: this size takes about a second. */
const MOST_LINES = 50_000;
const MOST_CELLS = 1_000_000;
/** A longer row is no order: a quotation mark is missing, or the file is no table. Reading megabytes of it takes seconds. */
const MOST_IN_ROW = 100_000;

/** Excel's optional first line, which names the delimiter and is not a row. */
const hint = /^\uFEFF?"?sep=([\t;,|])"?[\t;,|]*(?:\r?\n|$)/i;

/** `row`: the row number as a spreadsheet shows it: empty rows count, the line that names the delimiter does not. */
export type TableRow = { row: number; record: readonly string[] };

const delimiters = ['\t', ';', ',', '|'] as const;
const mostIn = (line: string): string =>
  delimiters.toSorted((one, other) => line.split(other).length - line.split(one).length)[0] ?? ',';

/** Lines that are searched for the delimiter. */
const MOST_TITLES = 10;

/**
 * Returns the line that shows the delimiter: titles may precede the header, and the delimiter of the table does not occur in them
 * ("Export vom 20.11.2026, 10 Uhr").
 */
function telling(text: string): string {
  const lines = tableBeginning(text.trimStart()).split(/[\r\n]+/, MOST_TITLES);
  const [first = lines[0] ?? '', next = first] = lines.filter((line) => /[\t;,|]/.test(line));
  return next.includes(mostIn(first)) ? first : next;
}

/**
 * Parses a table that people paste or programs export; the delimiter is the most frequent one of the first line that has one, or
 * the one that a line above it names. @throws KontorError with `unreadable`
 */
export function tableRows(whole: string, unreadable: string): TableRow[] {
  // The parser takes seconds for megabytes of blanks.
  if (whole.trim() === '') return [];
  const [line = '', message] = hint.exec(whole) ?? [];
  const text = whole.slice(line.length);
  const first = telling(text);
  const most = mostIn(first);
  // A program may write a delimiter line that does not fit its table.
  const delimiter = message !== undefined && (first.includes(message) || !first.includes(most)) ? message : most;
  requireFew(text, delimiter);
  try {
    const parsed =
      delimiter === '\t'
        ? parse(inOneLine(text), { ...options, delimiter, quote: false })
        : quotedRows(text, delimiter);
    const table = parsed.flatMap((record, index) =>
      record.length > 1 || record[0] !== '' ? [{ row: index + 1, record }] : [],
    );
    const isBare = delimiter !== '\t' || !isQuoted(table.map(({ record }) => record));
    return table.map(({ row, record }) => ({
      row,
      record: record.map((cell) => shownText(isBare ? cell : withoutQuotes(cell))),
    }));
  } catch (error) {
    throw new KontorError(422, 'unreadable', `${unreadable}${placeOf(error)}`, { cause: error });
  }
}

/** Returns where a table is broken, as a text for people. */
function placeOf(error: unknown): string {
  const [, line] = /at line (\d+)/.exec(error instanceof Error ? error.message : '') ?? [];
  if (line === undefined) return '';
  return error instanceof CsvError && error.code === 'CSV_MAX_RECORD_SIZE'
    ? ` Bis Zeile ${line} reicht eine Tabellenzeile mit mehr als ${integerText(MOST_IN_ROW)} Zeichen: Meist fehlt darin ein Anführungszeichen.`
    : ` In Zeile ${line} fehlt ein Anführungszeichen oder steht an falscher Stelle.`;
}

const options = { bom: true, relax_column_count: true, trim: true, max_record_size: MOST_IN_ROW };

/** Parses a table with a delimiter other than tab. @throws if a mark is missing or misplaced */
function quotedRows(text: string, delimiter: string): string[][] {
  const relaxed = (): string[][] => parse(text, { ...options, delimiter, relax_quotes: true });
  if (!/^\uFEFF?"/.test(text)) return relaxed();
  try {
    return parse(text, { ...options, delimiter });
  } catch (error) {
    const whole = withInchMarks(text, delimiter);
    if (whole !== undefined) return whole;
    const [head = [], ...rows] = relaxed();
    // A cell that ended at a mark inside of it moves the others: "TV 42", LED".
    if (rows.some((row) => row.findLastIndex((cell) => cell !== '') >= head.length)) throw error;
    return [head, ...rows];
  }
}

/**
 * Programs that quote every cell do not all double an inch mark in it ("TV 55" LED"): there a mark ends a cell only before the
 * next quoted cell or line. undefined if the table is not like that, or if cells or rows could move.
 */
function withInchMarks(text: string, delimiter: string): string[][] | undefined {
  const all = text.trimEnd();
  if (!all.endsWith('"')) return undefined;
  const between = new RegExp(`"[ \\t]*[${delimiter}][ \\t]*"`);
  const rows = all
    .slice(all.indexOf('"') + 1, -1)
    .split(/"[ \t]*(?:\r\n|\r|\n)"/)
    .map((row) => row.split(between));
  const [head = []] = rows;
  const isSure = (cell: string) => !/[\r\n]/.test(cell) || !cell.replaceAll('""', '').includes('"');
  if (head.some((cell) => cell.includes('"'))) return undefined;
  if (!rows.every((row) => row.length === head.length && row.every(isSure))) return undefined;
  return rows.map((row) => row.map((cell) => cell.replaceAll('""', '"')));
}

function requireFew(text: string, delimiter: string): void {
  const count = (mark: string) => {
    let found = 0;
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) found += 1;
    return found;
  };
  const lines = Math.max(count('\n'), count('\r'));
  if (lines <= MOST_LINES && lines + count(delimiter) <= MOST_CELLS) return;
  throw new KontorError(
    422,
    'table_too_large',
    `Die Tabelle hat mehr als ${integerText(MOST_LINES)} Zeilen oder ${integerText(MOST_CELLS)} Zellen. Es wurde nichts übernommen. Bitte teilen Sie sie auf mehrere Dateien auf.`,
  );
}

const quoted = /^"((?:[^"]|"")*)"$/;

/**
 * Returns whether the cells are quoted. Marketplaces' tab-separated reports do not quote: a quotation mark is part of the title.
 * Spreadsheets quote where needed: their tables have a quoted cell in the header, or no mark outside of a quoted cell.
 */
const isQuoted = (records: readonly (readonly string[])[]): boolean =>
  records[0]?.some((cell) => quoted.test(cell)) === true ||
  records.every((record) => record.every((cell) => !cell.includes('"') || quoted.test(cell) || formula.test(cell)));

const withoutQuotes = (cell: string): string => quoted.exec(cell)?.[1]?.replaceAll('""', '"') ?? cell;

/**
 * Joins the lines of a quoted cell. Spreadsheets quote such a cell as a whole, without a tab in it; a mark that only opens a
 * title does not match.
 */
const inOneLine = (text: string): string =>
  text.replaceAll(/(?<=^|[\t\n])"(?:[^"\t]|""){0,2000}"(?=\t|\r?\n|$)/g, (cell) => cell.replaceAll(/\r?\n/g, ' '));

const formula = /^="([^"]*)"$/;
const apostrophe = /^'(\+?\d[\d\s./-]*)$/;

/** Returns the text that a spreadsheet shows: programs write ="007" or '007 to keep the zeros. */
const shownText = (cell: string): string => formula.exec(cell)?.[1]?.trim() ?? apostrophe.exec(cell)?.[1] ?? cell;

const markedNumber = new RegExp(`^-?\\d{1,3}\\.\\d{3}${NUMBER_MARK}$`);

/** Returns a table without the marks behind numbers of a workbook, and a function that tells which cells had one. */
export function withoutMarks(marked: readonly TableRow[]): {
  table: readonly TableRow[];
  isNumber: (record: readonly string[], column: number) => boolean;
} {
  const numbers = new Map<readonly string[], ReadonlySet<number>>();
  const table = marked.map(({ row, record }) => {
    const found = record.flatMap((cell, column) => (markedNumber.test(cell) ? [column] : []));
    if (found.length === 0) return { row, record };
    const columns = new Set(found);
    const bare = record.map((cell, column) => (columns.has(column) ? cell.slice(0, -1) : cell));
    numbers.set(bare, columns);
    return { row, record: bare };
  });
  return { table, isNumber: (record, column) => numbers.get(record)?.has(column) === true };
}

/**
 * Returns why a number is unusable after a spreadsheet: 3,40434E+19 has lost its digits permanently. undefined: it is complete.
 */
export function cutNumber(text: string, label: 'Bestellnummer' | 'Sendungsnummer'): string | undefined {
  if (!/^\d+(?:[.,]\d+)?E\+\d+$/i.test(text)) return undefined;
  return `„${text}“ ist keine vollständige ${label} mehr: die Tabellenkalkulation hat sie gekürzt. Bitte formatieren Sie die Spalte als Text und fügen Sie die Nummern neu ein.`;
}
