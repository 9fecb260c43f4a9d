import fs from 'node:fs';
import path from 'node:path';
import type { ImportRun, TextSource } from '#feed/import/reader/import-run.ts';
import { writeWhole } from '#feed/import/reader/text/write-whole.ts';
import { filePieces } from '#feed/import/reader/text/file-pieces.ts';
import {
  delimiterName,
  endsWithReturns,
  modalWidth,
  sampleRecords,
  sniffDialect,
  usualDelimiters,
} from './csv-dialect.ts';
import { CsvParser, isBlankRecord, type CsvDialect } from './csv-parser.ts';
import { firstText, recordsStart } from './csv-read.ts';

/** `quoted`: the line was one quoted cell, and `text` is its content; otherwise `text` is the line unchanged. */
type Line = { text: string; quoted: boolean; raw: string };

const mostLines = 1000;
/** Longest line in characters: an unclosed quotation mark cannot make a line longer than this. */
const longest = 16 * 1024 * 1024;

/** Reads a text as lines of one cell each, with NUL as delimiter: NULs were removed from the file before. */
class Lines {
  private readonly parser: CsvParser;
  private readonly lineEnd: string;
  /** Where the next line begins. */
  position = 0;

  constructor(quote: string, carriageReturn: boolean) {
    const dialect: CsvDialect = { delimiter: '\0', quote, escape: quote, carriageReturn };
    this.parser = new CsvParser(dialect);
    this.lineEnd = carriageReturn ? '\r' : '\n';
  }

  /** Returns the next line; undefined: the text does not hold its end. `final`: nothing follows. */
  next(text: string, final: boolean): Line | undefined {
    if (this.position >= text.length) return undefined;
    const { parser, position } = this;
    const status = parser.parse(text, position, final);
    const found = text.indexOf(this.lineEnd, position);
    const physical = found < 0 ? text.length : found + 1;
    if (status === 'more' && text.length - position <= longest) return undefined;
    const whole = status === 'ok' && parser.sawQuoted === 1 && !isBlankRecord(parser);
    this.position = status === 'ok' ? parser.next : physical;
    const raw = text.slice(position, this.position);
    if (!whole) return { text: raw, quoted: false, raw };
    return { text: parser.cells[0] ?? '', quoted: true, raw };
  }
}

/** Returns the delimiter that splits all lines evenly without their outer quotes; undefined for other kinds of lines. */
function innerDelimiter(lines: readonly Line[], quote: string, fixed: string | undefined): string | undefined {
  const quoted = lines.filter((line) => line.quoted);
  if (quoted.length === 0) return undefined;
  // Some programs quote only lines that contain a quote or a delimiter; then all lines, quoted or not, must split alike.
  const judged = quoted.length >= 2 && quoted.length * 2 >= lines.length ? quoted : lines;
  // A quote in an unquoted line begins a cell over several lines, and a line like '";"' may be part of that cell.
  if (judged === lines && lines.some(({ quoted: whole, raw }) => !whole && raw.includes(quote))) return undefined;
  const text = judged.map((line) => (line.quoted ? line.text : line.raw.trimEnd())).join('\n');
  const dialect = sniffDialect(text, true, { delimiter: fixed });
  const { records, errors } = sampleRecords(text, dialect, true);
  const width = modalWidth(records);
  const even = records.filter(({ cells }) => cells.length === width).length;
  const isTable = width >= (judged === quoted ? 2 : 3) && records.length >= 2 && errors === 0;
  // "Dec 8, 2022" is a text: in a table, not every delimiter is followed by a blank.
  const isText = records.every(({ cells }) => cells.slice(1).every((cell) => cell.startsWith(' ')));
  if (isText || !isTable || records[0]?.cells.length !== width || even < records.length * 0.8) return undefined;
  return fixed !== undefined || usualDelimiters.includes(dialect.delimiter) ? dialect.delimiter : undefined;
}

function firstLines(text: string, complete: boolean, quote: string): Line[] {
  const reader = new Lines(quote, endsWithReturns(text));
  const lines: Line[] = [];
  for (let line = reader.next(text, complete); line && lines.length < mostLines; line = reader.next(text, complete))
    if (line.text.trim() !== '') lines.push(line);
  return lines;
}

type WholeLines = { start: number; lines: readonly Line[]; delimiter: string; returns: boolean };

/** Returns what is known of a file whose lines are quoted as a whole; undefined if they are not. */
function wholeLines(run: ImportRun, source: TextSource, quote: string): WholeLines | undefined {
  if (quote === '') return undefined;
  const { start, delimiter: fixed } = recordsStart(run, source);
  const { text, complete } = firstText(source, start);
  const lines = firstLines(text, complete, quote);
  const delimiter = innerDelimiter(lines, quote, fixed);
  return delimiter === undefined ? undefined : { start, lines, delimiter, returns: endsWithReturns(text) };
}

const quoteOf = ({ request }: ImportRun) => request.options.quote ?? '"';

export const hasWholeLineQuotes = (run: ImportRun, source: TextSource): boolean =>
  wholeLines(run, source, quoteOf(run)) !== undefined;

/**
 * If each line is quoted as a whole (`"sku;name"`), returns a copy of the file without these quotes and with the same line
 * numbers; otherwise the file itself. Every reader then sees an ordinary table.
 */
export async function withoutWholeLineQuotes(run: ImportRun, source: TextSource): Promise<TextSource> {
  const quote = quoteOf(run);
  const whole = wholeLines(run, source, quote);
  if (whole === undefined) return source;
  const { start, lines, delimiter, returns } = whole;
  const example = lines.find((line) => line.quoted)?.text.slice(0, 60) ?? '';
  run.warnings.once(
    'whole_lines',
    `Zeilen der Datei stehen als Ganzes in Anführungszeichen (zuerst „${example}“). Diese wurden entfernt und die Zeilen am Zeichen „${delimiterName(delimiter)}“ geteilt. Falls die Datei nur eine Spalte hat, wählen Sie ein Trennzeichen, das darin nicht vorkommt, und importieren Sie erneut.`,
  );
  const target = path.join(run.folder, `${path.basename(source.path)}.lines`);
  await copyLines(run, { source, start, target }, new Lines(quote, returns));
  return { ...source, path: target, size: fs.statSync(target).size };
}

type Copy = { source: TextSource; start: number; target: string };

async function copyLines(run: ImportRun, { source, start, target }: Copy, lines: Lines): Promise<void> {
  const descriptor = fs.openSync(target, 'w');
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let buffer = '';
  const write = (text: string, final: boolean) => {
    buffer += text;
    let out = '';
    for (let line = lines.next(buffer, final); line; line = lines.next(buffer, final))
      out += line.quoted ? line.text + (/\r?\n$|\r$/u.exec(line.raw)?.[0] ?? '') : line.raw;
    buffer = buffer.slice(lines.position);
    lines.position = 0;
    writeWhole(descriptor, out);
  };
  try {
    await copyHead(source.path, start, descriptor);
    for await (const piece of filePieces(source.path, start)) {
      write(decoder.decode(piece, { stream: true }), false);
      run.progress.beat();
    }
    write(decoder.decode(), true);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Copies everything before the records unchanged; readers of the copy skip it as they would in the original. */
async function copyHead(file: string, end: number, descriptor: number): Promise<void> {
  let left = end;
  for await (const piece of filePieces(file, 0)) {
    if (left <= 0) return;
    writeWhole(descriptor, piece.subarray(0, left));
    left -= piece.length;
  }
}
