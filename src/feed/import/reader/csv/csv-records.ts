import { CsvParser, isBlankRecord, swallowsRecords, withoutEndMark, type CsvDialect } from './csv-parser.ts';
import { sizeText } from '#shared/values/size-text.ts';
import { countText, type ImportLimits } from '#feed/import/reader/limits.ts';
import { Refusal } from '#feed/import/reader/refusal.ts';

export type CsvHandler = {
  /** `literalQuotes`: indexes of the cells with a quote in their middle. */
  record(cells: string[], line: number, literalQuotes: readonly number[]): void;
  bad(line: number, reason: string, raw: string): void;
  /** The last record, on this line, ended inside quotes and was delivered as far as it goes. */
  cut(line: number): void;
  /** The text ended inside quotes, whatever becomes of their record. */
  open(): void;
};

/** If at least this number of records was good, a record cut off at the end of the file is accepted as it is, with a warning. */
const enoughRecords = 100;

const brokenQuote = 'Anführungszeichen nicht richtig gesetzt: Der Datensatz ließ sich nicht eindeutig lesen.';

/**
 * Splits a text stream into CSV records. A record with broken quotes costs its own physical line (and what clearly continues
 * it), never the remaining file: reading continues with the next line that is a whole record again.
 */
export class CsvRecords {
  private readonly parser: CsvParser;
  private readonly dialect: CsvDialect;
  private readonly limits: ImportLimits;
  private readonly handler: CsvHandler;
  private readonly lineEnd: string;
  private buffer = '';
  private line: number;
  /** Cells of a whole record according to the table plan. */
  private readonly width: number;
  private recovering = false;
  private skipping = false;
  private current = 0;
  private delivered = 0;

  constructor(dialect: CsvDialect, width: number, firstLine: number, limits: ImportLimits, handler: CsvHandler) {
    this.parser = new CsvParser(dialect);
    this.dialect = dialect;
    this.width = width;
    this.line = firstLine;
    this.limits = limits;
    this.handler = handler;
    this.lineEnd = dialect.carriageReturn ? '\r' : '\n';
  }

  /**
   * Adds text and parses the complete records in it. `final`: nothing follows.
   * @throws Refusal when the file was cut off inside a record
   */
  feed(text: string, final: boolean): void {
    this.buffer = this.buffer === '' ? text : this.buffer + text;
    if (final) this.buffer = withoutEndMark(this.buffer);
    let position = this.skipping ? this.skipLine(0) : 0;
    const { parser } = this;
    while (position < this.buffer.length && !this.skipping) {
      const status = parser.parse(this.buffer, position, final);
      if (status === 'more') {
        if (this.buffer.length - position <= this.limits.record) break;
        position = this.tooLong(position);
      } else if (status === 'ok') position = this.take(position);
      else if (status === 'open') position = this.openAtEnd(position);
      else position = this.rejectLine(position, brokenQuote);
    }
    this.buffer = this.skipping ? '' : this.buffer.slice(position);
  }

  private take(position: number): number {
    const { parser } = this;
    if (!isBlankRecord(parser)) {
      if (parser.multiline.length > 0 && swallowsRecords(parser, this.dialect.delimiter, this.width)) {
        return this.rejectLine(position, brokenQuote);
      }
      if (this.recovering && parser.cells.length !== this.width) {
        const raw = this.buffer.slice(position, parser.next).trimEnd();
        this.handler.bad(this.line, 'Fortsetzung eines fehlerhaften Datensatzes.', raw);
      } else {
        this.recovering = false;
        this.deliver(position);
      }
    }
    this.line += parser.lines;
    return parser.next;
  }

  /** Returns the text of the record being delivered, cut at 10,000 characters. */
  raw(): string {
    return this.buffer.slice(this.current, Math.min(this.parser.next, this.current + 10_000)).trimEnd();
  }

  private deliver(position: number): void {
    const { parser, limits } = this;
    this.current = position;
    const length = parser.next - position;
    if (length > limits.cell && parser.cells.some((cell) => cell.length > limits.cell)) {
      const reason = `Eine Zelle ist größer als erlaubt (${sizeText(limits.cell)}).`;
      this.handler.bad(this.line, reason, this.buffer.slice(position, position + 10_000));
    } else {
      this.delivered += 1;
      this.handler.record(parser.cells, this.line, parser.literalQuotes);
    }
  }

  private rejectLine(position: number, reason: string): number {
    const end = this.buffer.indexOf(this.lineEnd, position);
    const stop = end < 0 ? this.buffer.length : end;
    this.handler.bad(this.line, reason, this.buffer.slice(position, Math.min(stop, position + 10_001)).trimEnd());
    this.line += 1;
    this.recovering = true;
    return end < 0 ? this.buffer.length : end + 1;
  }

  /** Handles a record above the size limit: a line without end, or a quotation mark that was never closed. */
  private tooLong(position: number): number {
    const end = this.buffer.indexOf(this.lineEnd, position);
    if (end >= 0) return this.rejectLine(position, brokenQuote);
    this.handler.bad(
      this.line,
      `Die Zeile ist länger als erlaubt (${countText(this.limits.record)} Zeichen).`,
      this.buffer.slice(position, position + 10_000),
    );
    this.skipping = true;
    this.recovering = false;
    return this.buffer.length;
  }

  private skipLine(position: number): number {
    const end = this.buffer.indexOf(this.lineEnd, position);
    if (end < 0) return this.buffer.length;
    this.skipping = false;
    this.line += 1;
    return end + 1;
  }

  /**
   * Handles quotes that never close. If whole records follow, the quote was a stray mark; otherwise the file was cut off. A cut
   * inside the last line of an otherwise good table costs at most this one record, so it is a warning; anything worse is
   * refused.
   */
  private openAtEnd(position: number): number {
    this.handler.open();
    const parser = new CsvParser(this.dialect);
    let at = this.buffer.indexOf(this.lineEnd, position) + 1;
    for (let tries = 0; at > 0 && at < this.buffer.length && tries < 1000; tries += 1) {
      const status = parser.parse(this.buffer, at, true);
      if (status === 'ok' && parser.cells.length === this.width && this.width > 1) {
        return this.rejectLine(position, brokenQuote);
      }
      at = status === 'ok' ? parser.next : this.buffer.indexOf(this.lineEnd, at) + 1;
    }
    const closed = `${this.buffer}${this.dialect.quote}`;
    const lastLine = !this.buffer.includes(this.lineEnd, position);
    if (lastLine && this.delivered >= enoughRecords && this.parser.parse(closed, position, true) === 'ok') {
      this.handler.cut(this.line);
      this.deliver(position);
      return this.buffer.length;
    }
    throw new Refusal(
      'truncated',
      `Die Datei endet mitten in einem Datensatz (Zeile ${countText(this.line)}). Sie ist vermutlich unvollständig übertragen worden. Es wurde nichts importiert, der bisherige Stand bleibt. Bitte übertragen Sie die Datei erneut.`,
      this.line,
    );
  }
}
