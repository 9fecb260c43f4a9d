import fs from 'node:fs';
import type { DetectedFormat } from '#shared/import/schema.ts';
import { sampleRecords, sniffDialect, type SampleRecord } from './csv-dialect.ts';
import { END_MARK_BYTE, withoutEndMark, type CsvDialect } from './csv-parser.ts';
import { CsvRecords } from './csv-records.ts';
import type { ImportRun, TextSource } from '#feed/import/reader/import-run.ts';
import { countText } from '#feed/import/reader/limits.ts';
import { partsHeader, warnOfNamedDelimiter } from './named-delimiter.ts';
import { whyOtherDelimiter } from './other-delimiter.ts';
import { standsInQuotes, warnOfOuterQuotes, withoutOuterQuotes } from './outer-quotes.ts';
import { Refusal } from '#feed/import/reader/refusal.ts';
import { warnOfOddRows } from '#feed/import/reader/table/odd-rows.ts';
import { planTable, warnOfReading, type TablePlan } from '#feed/import/reader/table/table-plan.ts';
import { TableRows } from '#feed/import/reader/table/table-rows.ts';

const sampleBytes = 512 * 1024;
/** Most bytes that DOS appends to fill the last block of a text. */
const lastBlock = 4096;

/** All decisions about a CSV file that are made before its rows are read. */
export type CsvPlan = {
  dialect: CsvDialect;
  table: TablePlan;
  /** Byte offset and line of the first record (after skipped lines and a `sep=` line). */
  start: number;
  firstLine: number;
  sample: SampleRecord[];
  /** Cells are enclosed in quotes that are not quotes of the dialect. */
  outerQuotes: boolean;
  format: DetectedFormat;
};

function readPiece(path: string, start: number, length: number): Buffer {
  const descriptor = fs.openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(length);
    return buffer.subarray(0, fs.readSync(descriptor, buffer, 0, length, start));
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Returns the byte offset after `lines` physical lines. */
export function skipLines(path: string, start: number, lines: number): number {
  let offset = start;
  let left = lines;
  while (left > 0) {
    const piece = readPiece(path, offset, 4 * 1024 * 1024);
    if (piece.length === 0) return offset;
    const mark = piece.includes(10) ? 10 : 13;
    let at = 0;
    while (left > 0) {
      const end = piece.indexOf(mark, at);
      if (end < 0) break;
      at = end + 1;
      left -= 1;
    }
    offset += left > 0 ? piece.length : at;
  }
  return offset;
}

function lineEndOf(text: string, dialect: CsvDialect): 'lf' | 'crlf' | 'cr' {
  if (dialect.carriageReturn) return 'cr';
  return text.includes('\r\n') ? 'crlf' : 'lf';
}

/** Returns where the records start, after skipped lines and a `sep=` line, and the delimiter if options or that line name it. */
export function recordsStart(
  run: ImportRun,
  source: TextSource,
): { start: number; firstLine: number; skipped: number; delimiter: string | undefined; ignored?: string } {
  const { options } = run.request;
  const skipped = options.skipLines ?? 0;
  const afterSkipped = skipLines(source.path, source.start, skipped);
  const hint = /^"?sep=(.)([^\r\n"]{0,3})/iu.exec(readPiece(source.path, afterSkipped, 16).toString('utf8'));
  const start = hint ? skipLines(source.path, afterSkipped, 1) : afterSkipped;
  const chosen = options.delimiter === '\\t' ? '\t' : options.delimiter;
  const known = { start, firstLine: 1 + skipped + (hint ? 1 : 0), skipped };
  // More characters (`sep=||`) mean a longer delimiter or a padded line: then the delimiter is detected from the table.
  const named = hint?.[2] === '' ? hint[1] : undefined;
  if (chosen !== undefined || named === undefined || partsHeader(firstText(source, start), named))
    return { ...known, delimiter: chosen ?? named };
  return { ...known, delimiter: undefined, ignored: named };
}

/** Returns the beginning of the records, from which the format is detected. `complete`: it holds all of them. */
export function firstText(source: TextSource, start: number): { text: string; complete: boolean } {
  const piece = readPiece(source.path, start, sampleBytes);
  const complete = start + piece.length >= source.size;
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(piece, { stream: true });
  return { text: complete ? withoutEndMark(text) : text, complete };
}

/** Detects dialect, title lines and header from the beginning of the file; the merchant's options take precedence. */
export function planCsv(run: ImportRun, source: TextSource): CsvPlan {
  const { options } = run.request;
  const { start, firstLine, skipped, delimiter, ignored } = recordsStart(run, source);
  const { text, complete } = firstText(source, start);
  const dialect = sniffDialect(text, complete, { delimiter, quote: options.quote });
  const found = sampleRecords(text, dialect, complete).records;
  const outerQuotes = options.quote === undefined && standsInQuotes(dialect, found);
  const sample = outerQuotes ? found.map((each) => ({ ...each, cells: withoutOuterQuotes(each.cells) })) : found;
  const placed = sample.map((record) => ({ ...record, line: record.line + firstLine - 1 }));
  if (outerQuotes) warnOfOuterQuotes(run);
  const table = planTable(sample, options.header, options.skipLines !== undefined);
  if (table.width === 0 || !/[^\s\p{C}]/u.test(text)) refuseUnreadable(run, text, source);
  if (table.width === 1) refuseErrorText(sample);
  if (ignored !== undefined) warnOfNamedDelimiter(run.warnings, ignored, dialect.delimiter);
  warnOfReading(run.warnings, sample, table);
  warnOfOddRows(run, placed, table);
  warnOfShortHeader(run, sample, table, dialect.delimiter);
  if (options.header !== false && !dialect.eitherReturn) warnOfBrokenHead(run, text, found[0]?.line ?? 1, dialect);
  if (dialect.eitherReturn)
    run.warnings.once(
      'line_ends_mixed',
      'Die Zeilen der Datei enden verschieden, manche nur mit CR (wie auf alten Macs), andere mit LF. Beides wurde als Zeilenende gelesen. Bitte prüfen Sie die Zahl der Artikel.',
    );
  if (table.headers.length > run.limits.columns) run.columns.forHeader(table.headers);
  const head = sample[table.preamble];
  const preamble = skipped + (table.header || table.preamble > 0 ? (head?.line ?? 1) - 1 : 0);
  return {
    dialect,
    table,
    start,
    firstLine,
    outerQuotes,
    sample: placed,
    format: {
      format: 'csv',
      encoding: source.encoding,
      delimiter: dialect.delimiter,
      quote: dialect.quote,
      escape: dialect.escape,
      header: table.header,
      lineEnd: lineEndOf(text, dialect),
      ...(preamble > 0 ? { preamble } : {}),
    },
  };
}

const errorText =
  /^(?:(?:php )?(?:fatal error|parse error|warning|error|exception|uncaught|fehler):|(?:(?:http\/\d\S* )?[45]\d\d[ :-]+)?(?:error|forbidden|unauthori[sz]ed|not found|access denied|permission denied|zugriff verweigert|nicht gefunden|bad gateway|bad request|internal server error|service unavailable|too many requests|gateway timeout)[.!]?$)/iu;
/** A line that may also be the name of an item; treated as an error message only if the file has no other line. */
const errorLine = /^(?:fatal error|error|exception|uncaught|fehler)\s+(?!nummer|code)\S/iu;

/** Refuses an error message sent instead of a table; it would become an empty table with an odd column name. */
function refuseErrorText(sample: readonly SampleRecord[]): void {
  const first = sample[0]?.cells[0] ?? '';
  if (!errorText.test(first.trim()) && !(sample.length === 1 && errorLine.test(first.trim()))) return;
  throw new Refusal(
    'error_text',
    `Die Datei ist eine Fehlermeldung statt eines Katalogs: „${first.trim().slice(0, 200)}“. Es wurde nichts importiert, der bisherige Stand bleibt. Bitte prüfen Sie den Export, die Adresse und die Zugangsdaten.`,
  );
}

/** Warns that most rows have more cells than the header has names: an unquoted delimiter in a value shifts all cells after it. */
function warnOfShortHeader(
  run: ImportRun,
  sample: readonly SampleRecord[],
  { header, headers, preamble }: TablePlan,
  delimiter: string,
): void {
  const names = sample[preamble]?.cells.length ?? 0;
  if (!header || headers.length <= names) return;
  const cause = delimiter === ',' ? 'Kommazahlen (9,90) oder Texte mit Komma' : `Texte mit „${delimiter}“`;
  run.warnings.once(
    'header_short',
    `Die Kopfzeile hat ${countText(names)} Namen, die meisten Zeilen haben aber ${countText(headers.length)} Zellen: Werte können in der falschen Spalte stehen, auch Preise und Bestände. Häufige Ursache sind ${cause} ohne Anführungszeichen. Bitte prüfen Sie die Spalten, bevor Sie die Artikel verwenden.`,
  );
}

/** Warns about unreadable lines above the first record: one of them should have been the header. `first`: line of that record. */
function warnOfBrokenHead(run: ImportRun, text: string, first: number, dialect: CsvDialect): void {
  const above = text.split(dialect.carriageReturn ? '\r' : '\n', first - 1).find((line) => line.trim() !== '');
  if (above === undefined) return;
  run.warnings.once(
    'header_broken',
    `Die erste Zeile („${above.trim().slice(0, 100)}“) ließ sich nicht lesen, ihre Anführungszeichen sind nicht richtig gesetzt. Falls es die Kopfzeile ist, fehlen die Spaltennamen, und die Zeile darunter kann an ihrer Stelle stehen. Bitte prüfen Sie die Felder, oder berichtigen Sie die Zeile und importieren Sie erneut.`,
  );
}

function refuseUnreadable(run: ImportRun, text: string, source: TextSource): never {
  if (!/[^\s\p{C}]/u.test(text)) {
    throw new Refusal(
      'empty',
      'Die Datei ist leer: Sie enthält keine einzige Zeile mit Inhalt. Es wurde nichts importiert. Bitte prüfen Sie den Export Ihres Systems.',
    );
  }
  if (source.size > sampleBytes && !/[\r\n]/u.test(text)) {
    throw new Refusal(
      'line_too_long',
      `Die erste Zeile ist länger als ${countText(text.length)} Zeichen und hat kein Ende: Das ist keine Artikeltabelle. Es wurde nichts importiert. Bitte prüfen Sie das Format der Datei.`,
      1,
    );
  }
  throw new Refusal(
    'csv_unreadable',
    'Die Kopfzeile ließ sich nicht lesen (Anführungszeichen nicht geschlossen?). Es wurde nichts importiert. Bitte prüfen Sie die erste Zeile der Datei oder wählen Sie Trennzeichen und Anführungszeichen von Hand.',
    run.request.options.skipLines === undefined ? 1 : run.request.options.skipLines + 1,
  );
}

/** Says about a part of a larger file that it ends inside quotes: the next part does not begin with a record. */
export const PART_ENDS_OPEN = 'part_ends_open';

export function warnLiteralQuotes(run: ImportRun, line: number, by = 1): void {
  run.warnings.count(
    'literal_quotes',
    line,
    (count, first) =>
      `In ${countText(count)} ${count === 1 ? 'Zeile' : 'Zeilen'} steht ein Anführungszeichen mitten in einer Zelle (zuerst Zeile ${first}). Es wurde als Teil des Textes übernommen.`,
    by,
  );
}

function endsWithoutNewline(source: TextSource): boolean {
  const end = readPiece(source.path, Math.max(source.start, source.size - lastBlock), lastBlock);
  const last = end.findLast((byte) => byte !== END_MARK_BYTE && byte !== 32);
  return last !== undefined && last !== 10 && last !== 13;
}

function warnOfCut(run: ImportRun, rows: TableRows, code: 'last_row_cut' | 'last_row_short', where: string): void {
  rows.leaveOutLast();
  run.warnings.once(
    code,
    `Die Datei endet ${where}. Vermutlich wurde sie abgeschnitten, und weitere Zeilen fehlen. Diese Zeile wurde übernommen, soweit sie reicht; der Rest ist leer. Bitte prüfen Sie die Übertragung, und importieren Sie die vollständige Datei.`,
  );
}

/** Reads a CSV file exactly: our own parser passes every record to the staging. */
export async function readCsv(run: ImportRun, source: TextSource, plan: CsvPlan): Promise<void> {
  const rows = new TableRows(run, plan.table, false);
  let failed = 0;
  let cutLine: number | undefined;
  const records: CsvRecords = new CsvRecords(plan.dialect, plan.table.width, plan.firstLine, run.limits, {
    record: (cells, line, literalQuotes) => {
      const other = cells.length === 1 && !rows.isHead ? whyOtherDelimiter(run, plan, records.raw(), line) : undefined;
      if (other !== undefined) {
        run.rowsSeen += 1;
        run.rejects.reject(line, other, records.raw());
        return;
      }
      if (literalQuotes.some((column) => !rows.unwraps(cells, column))) warnLiteralQuotes(run, line);
      rows.record(plan.outerQuotes ? withoutOuterQuotes(cells) : cells, line, () => records.raw());
    },
    cut: (line) => (cutLine = line),
    open: () => {
      if (run.request.part === true) run.warnings.once(PART_ENDS_OPEN, '');
    },
    bad: (line, reason, raw) => {
      run.rowsSeen += 1;
      failed += 1;
      run.rejects.reject(line, whyOtherDelimiter(run, plan, raw, line) ?? reason, raw);
    },
  });
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for await (const data of fs.createReadStream(source.path, { start: plan.start, highWaterMark: 1024 * 1024 })) {
    if (!Buffer.isBuffer(data)) continue;
    records.feed(decoder.decode(data, { stream: true }), false);
    run.progress.rows = run.rowsSeen;
    run.onBytes(data.length);
  }
  records.feed(decoder.decode(), true);
  if (failed > 0 && failed === run.rowsSeen) {
    throw new Refusal(
      'no_readable_rows',
      'Keine einzige Zeile der Datei ließ sich lesen. Es wurde nichts importiert. Bitte prüfen Sie Trennzeichen und Anführungszeichen.',
      plan.firstLine,
    );
  }
  if (cutLine !== undefined)
    warnOfCut(run, rows, 'last_row_cut', `mitten in einem Wert von Zeile ${countText(cutLine)}`);
  else if (rows.lastWasShort && endsWithoutNewline(source))
    warnOfCut(
      run,
      rows,
      'last_row_short',
      `mitten in Zeile ${countText(rows.lastLine)}, die kürzer ist als die übrigen`,
    );
}
