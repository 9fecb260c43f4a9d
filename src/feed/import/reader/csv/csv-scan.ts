import { filePieces } from '#feed/import/reader/text/file-pieces.ts';
import { Utf8Watch } from '#feed/import/reader/text/utf8-watch.ts';
import { END_MARK_BYTE, type CsvDialect } from './csv-parser.ts';

/** Result of a quick pass over the bytes of a UTF-8 CSV file. */
export type CsvScan = {
  /** Number of records that are not blank, from the start line on. */
  records: number;
  lastLine: number;
  /** Number of records with a quote in the middle of an unquoted cell. */
  literalQuotes: number;
  firstLiteralQuote: number;
  longestRecord: number;
  /** Why DuckDB may read the file differently from our parser; undefined: no reason found. */
  doubt: string | undefined;
};

const CELL_START = 0;
const PLAIN = 1;
const QUOTED = 2;
const QUOTE_SEEN = 3;
/** A byte value that never occurs: for dialects without a quote. */
const NO_BYTE = 256;
/** Up to this number, checking bytes one by one is cheaper than a native search. */
const FEW_BYTES = 64;

/** Byte state machine over a CSV file: counts records independently of DuckDB and detects what DuckDB reads differently. */
export class CsvScanner {
  private readonly delimiter: number;
  private readonly quote: number;
  private readonly width: number;
  private state = CELL_START;
  private line: number;
  private recordLine: number;
  private recordStart = 0;
  private offset = 0;
  private onlyBlanks = true;
  private empty = true;
  private lastByte = 10;
  private cellLines = 0;
  private cellDelimiters = 0;
  private literalLine = -1;
  private readonly keepLines: boolean;
  /** Lines of the finished records, if `keepLines`; the caller that reads the list empties it. */
  readonly lines: number[] = [];
  readonly result: CsvScan;

  /** `width`: cells of a whole record. */
  constructor(dialect: CsvDialect, width: number, firstLine: number, keepLines = false) {
    this.delimiter = dialect.delimiter.charCodeAt(0);
    this.quote = dialect.quote === '' ? NO_BYTE : dialect.quote.charCodeAt(0);
    this.width = width;
    this.line = firstLine;
    this.recordLine = firstLine;
    this.keepLines = keepLines;
    this.result = {
      records: 0,
      lastLine: firstLine,
      literalQuotes: 0,
      firstLiteralQuote: 0,
      longestRecord: 0,
      doubt: undefined,
    };
  }

  scan(bytes: Buffer): void {
    const { length } = bytes;
    let at = 0;
    while (at < length) {
      if (this.state === QUOTED) {
        at = this.insideQuotes(bytes, at);
        continue;
      }
      const byte = bytes[at] ?? 0;
      if (byte === this.quote) {
        this.quoteMark();
        this.lastByte = byte;
        at += 1;
      } else if (this.state === QUOTE_SEEN) {
        this.behindQuote(byte, at);
        at += 1;
      } else at = this.withoutQuotes(bytes, at);
    }
    this.offset += length;
  }

  finish(): CsvScan {
    if (this.state === QUOTED) this.result.doubt ??= 'open quote at the end';
    if (this.lastByte === END_MARK_BYTE) this.result.doubt ??= 'mark of DOS at the end';
    if (this.lastByte !== 10 || this.state === QUOTE_SEEN) this.endRecord(this.offset);
    this.result.lastLine = this.line;
    return this.result;
  }

  private behindQuote(byte: number, at: number): void {
    if (byte === 10) {
      this.line += 1;
      this.endRecord(this.offset + at + 1);
    } else if (byte === this.delimiter) this.state = CELL_START;
    else if (byte !== 13) this.result.doubt ??= 'text after a closing quote';
    this.lastByte = byte;
  }

  /** Scans up to the next quote. Native searches skip most bytes, several times as fast as checking each byte. */
  private withoutQuotes(bytes: Buffer, start: number): number {
    const quote = this.quote === NO_BYTE ? -1 : bytes.indexOf(this.quote, start);
    const end = quote < 0 ? bytes.length : quote;
    let from = start;
    for (let feed = lineEnd(bytes, from, end); feed >= 0; feed = lineEnd(bytes, from, end)) {
      if (this.empty) this.empty = holdsOnly(bytes, 13, from, feed);
      this.line += 1;
      this.endRecord(this.offset + feed + 1);
      from = feed + 1;
    }
    if (from < end) this.restOfLine(bytes, from, end);
    this.lastByte = bytes[end - 1] ?? 0;
    return end;
  }

  /** Updates the state for the cell left open after the last line end of a stretch without quotes. */
  private restOfLine(bytes: Buffer, from: number, end: number): void {
    if (this.empty) this.empty = holdsOnly(bytes, 13, from, end);
    let ink = end - 1;
    while (ink >= from && (bytes[ink] === 32 || bytes[ink] === 13)) ink -= 1;
    const begins = ink >= from ? bytes[ink] === this.delimiter : this.state === CELL_START;
    this.state = begins && ink === end - 1 ? CELL_START : PLAIN;
    this.onlyBlanks = ink >= from || begins ? begins : this.onlyBlanks;
  }

  private quoteMark(): void {
    this.empty = false;
    if (this.state === CELL_START) {
      this.cellLines = 0;
      this.cellDelimiters = 0;
      this.state = QUOTED;
    } else if (this.state === QUOTE_SEEN) this.state = QUOTED;
    else {
      if (this.onlyBlanks) this.result.doubt ??= 'blanks before a quote';
      this.result.firstLiteralQuote ||= this.recordLine;
      if (this.literalLine !== this.recordLine) this.result.literalQuotes += 1;
      this.literalLine = this.recordLine;
    }
  }

  private insideQuotes(bytes: Buffer, start: number): number {
    let end = bytes.indexOf(this.quote, start);
    const closed = end >= 0;
    if (!closed) end = bytes.length;
    if (this.cellLines > 0 || end - start < 64 || bytes.subarray(start, end).includes(10)) {
      for (let at = start; at < end; at += 1) {
        const byte = bytes[at];
        if (byte === this.delimiter) this.cellDelimiters += 1;
        else if (byte === 10) this.quotedLine();
      }
    }
    this.lastByte = closed ? this.quote : (bytes[end - 1] ?? 0);
    if (closed) this.state = QUOTE_SEEN;
    return closed ? end + 1 : end;
  }

  private quotedLine(): void {
    if (this.cellLines > 0 && this.width >= 3 && this.cellDelimiters === this.width - 1) {
      this.result.doubt ??= 'whole records inside quotes';
    }
    this.cellLines += 1;
    this.cellDelimiters = 0;
    this.line += 1;
  }

  private endRecord(end: number): void {
    const { result } = this;
    if (!this.empty) {
      if (this.keepLines) this.lines.push(this.recordLine);
      result.records += 1;
      if (end - this.recordStart > result.longestRecord) result.longestRecord = end - this.recordStart;
    }
    this.recordStart = end;
    this.recordLine = this.line;
    this.empty = true;
    this.onlyBlanks = true;
    this.state = CELL_START;
  }
}

function holdsOnly(bytes: Buffer, byte: number, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (bytes[at] !== byte) return false;
  return true;
}

/** Returns the first line feed of a stretch; -1 if there is none. */
function lineEnd(bytes: Buffer, from: number, to: number): number {
  if (to === bytes.length) return bytes.indexOf(10, from);
  // Never searches beyond the stretch: otherwise each quoted cell of a long line would search that line to its end.
  if (to - from > FEW_BYTES) {
    const at = bytes.subarray(from, to).indexOf(10);
    return at < 0 ? -1 : from + at;
  }
  for (let at = from; at < to; at += 1) if (bytes[at] === 10) return at;
  return -1;
}

/** Scans a file from a byte offset, yielding to the event loop between chunks; also checks whether it is UTF-8. */
export async function scanFile(
  scanner: CsvScanner,
  path: string,
  start: number,
  onPiece: (bytes: number) => boolean,
): Promise<CsvScan> {
  const text = new Utf8Watch();
  for await (const data of filePieces(path, start)) {
    scanner.scan(data);
    if (!text.holds(data)) scanner.result.doubt ??= 'not UTF-8';
    if (!onPiece(data.length)) break;
  }
  const result = scanner.finish();
  if (!text.ended()) result.doubt ??= 'not UTF-8';
  return result;
}
