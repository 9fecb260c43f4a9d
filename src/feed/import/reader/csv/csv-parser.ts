/** How a CSV file is written. `quote` '' = none; `escape` is the quote itself (doubled) or a backslash. */
export type CsvDialect = {
  delimiter: string;
  quote: string;
  escape: string;
  /** Records end with CR, and an LF is text. */
  carriageReturn: boolean;
  /** Records end with CR or LF alone, and the file mixes both. */
  eitherReturn?: true;
};

/** `more`: the record does not end within this text; `stray`: text after a closing quote; `open`: the file ends inside quotes. */
export type ParseStatus = 'ok' | 'more' | 'stray' | 'open';

const LF = 10;
const CR = 13;

/**
 * Parses one record at a time from a text. After `ok`: `cells`, `next` (start of the following record) and `lines` (line ends
 * passed). Quotes in the middle of an unquoted cell are text (`literalQuotes`), as in every spreadsheet.
 */
export class CsvParser {
  cells: string[] = [];
  next = 0;
  lines = 0;
  /** Indexes of the cells with a quote in their middle. */
  literalQuotes: number[] = [];
  /** Number of quoted cells: a record with one empty but quoted cell is not a blank line. */
  sawQuoted = 0;
  /** Texts of the quoted cells that contain line ends. */
  multiline: string[] = [];
  private readonly dialect: CsvDialect;
  private readonly quoteCode: number;
  private readonly delimiterCode: number;
  private readonly backslash: boolean;
  private position = 0;
  private text = '';
  private final = false;
  private value = '';

  constructor(dialect: CsvDialect) {
    this.dialect = dialect;
    this.quoteCode = dialect.quote === '' ? -1 : dialect.quote.charCodeAt(0);
    this.delimiterCode = dialect.delimiter.charCodeAt(0);
    this.backslash = dialect.escape === '\\';
  }

  /** Parses the record at `start`. `final`: the text includes the end of the file. */
  parse(text: string, start: number, final: boolean): ParseStatus {
    this.cells = [];
    this.multiline = [];
    this.lines = 0;
    this.literalQuotes = [];
    this.sawQuoted = 0;
    this.text = text;
    this.final = final;
    this.position = start;
    for (;;) {
      const status = this.cell();
      if (status !== 'cell') return status;
      this.cells.push(this.value);
      const end = this.separator();
      if (end !== 'cell') return end;
    }
  }

  private cell(): ParseStatus | 'cell' {
    const code = this.text.charCodeAt(this.position);
    if (code === this.quoteCode) return this.quotedCell(this.position + 1);
    if (code === 32 && this.quoteCode >= 0 && this.delimiterCode !== 32) {
      let at = this.position;
      while (this.text.charCodeAt(at) === 32) at += 1;
      if (this.text.charCodeAt(at) === this.quoteCode) {
        const before = this.lines;
        const status = this.quotedCell(at + 1);
        if (status !== 'stray' && status !== 'open') return status;
        this.lines = before;
      }
    }
    return this.plainCell();
  }

  private plainCell(): ParseStatus | 'cell' {
    const { text, quoteCode, delimiterCode, backslash } = this;
    const start = this.position;
    const length = text.length;
    let at = start;
    let escaped = false;
    for (; at < length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === delimiterCode && this.isDelimiter(at)) break;
      if (code === LF && !this.dialect.carriageReturn) break;
      if (code === CR && this.endsAtReturn(at)) break;
      if (code === quoteCode && this.literalQuotes.at(-1) !== this.cells.length)
        this.literalQuotes.push(this.cells.length);
      if (backslash && code === 92) {
        escaped = true;
        at += 1;
      }
    }
    if (at >= length && !this.final) return 'more';
    const end = Math.min(at, length);
    this.value = escaped ? this.unescaped(text.slice(start, end)) : text.slice(start, end);
    this.position = end;
    return 'cell';
  }

  private quotedCell(start: number): ParseStatus | 'cell' {
    const end = this.backslash ? this.closingAfterEscapes(start) : this.closing(start);
    if (end < 0) return this.final ? 'open' : 'more';
    const { text } = this;
    if (end + 1 >= text.length && !this.final) return 'more';
    let at = end + 1;
    while (text.charCodeAt(at) === 32 && this.delimiterCode !== 32) at += 1;
    if (at >= text.length && !this.final) return 'more';
    const code = text.charCodeAt(at);
    const closed =
      at >= text.length ||
      this.isDelimiter(at) ||
      (code === LF && !this.dialect.carriageReturn) ||
      (code === CR && this.endsAtReturn(at));
    if (!closed) return 'stray';
    const raw = text.slice(start, end);
    const mark = this.dialect.carriageReturn ? '\r' : '\n';
    if (raw.includes(mark)) {
      this.multiline.push(raw);
      for (let found = raw.indexOf(mark); found >= 0; found = raw.indexOf(mark, found + 1)) this.lines += 1;
    }
    this.value = this.unescaped(raw) + text.slice(end + 1, at);
    this.sawQuoted += 1;
    this.position = at;
    return 'cell';
  }

  private closing(start: number): number {
    const { quote } = this.dialect;
    let at = this.text.indexOf(quote, start);
    while (at >= 0 && this.text.charCodeAt(at + 1) === this.quoteCode) at = this.text.indexOf(quote, at + 2);
    return at;
  }

  private closingAfterEscapes(start: number): number {
    for (let at = start; at < this.text.length; at += 1) {
      const code = this.text.charCodeAt(at);
      if (code === 92) at += 1;
      else if (code === this.quoteCode) {
        if (this.text.charCodeAt(at + 1) !== this.quoteCode) return at;
        at += 1;
      }
    }
    return -1;
  }

  private unescaped(raw: string): string {
    const { quote } = this.dialect;
    if (!this.backslash) return quote !== '' && raw.includes(quote) ? raw.replaceAll(quote + quote, quote) : raw;
    // In one pass: an escaped quote may directly follow another escaped one.
    return raw.replaceAll(/\\([\s\S])|([^\\])\2/gu, (whole, char: string | undefined, twice: string | undefined) => {
      if (char === undefined) return twice === quote ? quote : whole;
      return char === '\\' || char === quote || char === this.dialect.delimiter ? char : whole;
    });
  }

  private isDelimiter(at: number): boolean {
    const { delimiter } = this.dialect;
    return delimiter.length === 1
      ? this.text.charCodeAt(at) === this.delimiterCode
      : this.text.startsWith(delimiter, at);
  }

  /** Whether a CR ends a record. A lone CR does only in files without other line ends; CR CR LF is a CRLF converted twice. */
  private endsAtReturn(at: number): boolean {
    if (this.dialect.carriageReturn || this.dialect.eitherReturn) return true;
    const next = this.text.charCodeAt(at + 1) === CR ? at + 2 : at + 1;
    return this.text.charCodeAt(next) === LF || next >= this.text.length;
  }

  /** After a cell: moves past the delimiter (`cell`: another cell follows) or the line end. */
  private separator(): ParseStatus | 'cell' {
    const { text } = this;
    const at = this.position;
    if (at >= text.length) {
      if (!this.final) return 'more';
      this.next = at;
      return 'ok';
    }
    if (this.isDelimiter(at)) {
      this.position = at + this.dialect.delimiter.length;
      if (this.position >= text.length && !this.final) return 'more';
      return 'cell';
    }
    if (text.charCodeAt(at) === CR) {
      if (at + 2 >= text.length && !this.final) return 'more';
      const feed = !this.dialect.carriageReturn && text.charCodeAt(at + 1) === CR ? at + 2 : at + 1;
      this.next = text.charCodeAt(feed) === LF ? feed + 1 : feed;
    } else this.next = at + 1;
    this.lines += 1;
    return 'ok';
  }
}

/** The mark with which DOS ends a text; often several of them fill its last block. */
const END_MARK = '\u001a';
export const END_MARK_BYTE = 26;

/** Returns the text without such marks at its end. */
export function withoutEndMark(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === END_MARK_BYTE) end -= 1;
  return text.slice(0, end);
}

/** Whether a record has no content: an empty line, blanks or DOS end marks only. */
export function isBlankRecord(parser: CsvParser): boolean {
  const [cell = ''] = parser.cells;
  return parser.cells.length === 1 && parser.sawQuoted === 0 && cell.replaceAll(END_MARK, '').trim() === '';
}

/**
 * Whether a quoted cell of the record holds whole records of `width` cells: then a quotation mark far above was left open and
 * closed by chance. All inner lines must split into `width` cells, and the first and last line together must have the delimiters
 * of one record. "Größe: S, M, L" in a description is one line of many; in prose a blank follows each delimiter, so such lines
 * do not count unless the record's own cells begin with blanks.
 */
export function swallowsRecords(
  { cells, multiline }: Pick<CsvParser, 'cells' | 'multiline'>,
  delimiter: string,
  width: number,
): boolean {
  if (width < 3) return false;
  const spaced = cells.slice(1).some((cell) => cell.startsWith(' '));
  return multiline.some((raw) => {
    const lines = raw.split('\n').map((line) => line.split(delimiter));
    const inner = lines.slice(1, -1);
    const isRecord = (parts: readonly string[]) =>
      parts.length === width && (spaced || parts.slice(1).some((part) => !part.startsWith(' ')));
    // A record of another width is wrong anyway: one inner line that is a whole record is enough.
    if (cells.length !== width) return inner.some(isRecord);
    const around = (lines[0]?.length ?? 1) - 1 + (lines.at(-1)?.length ?? 1) - 1;
    return inner.length > 0 && around === width - 1 && inner.every(isRecord);
  });
}
