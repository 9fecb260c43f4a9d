import { kindOf } from '#feed/import/reader/table/cell-kinds.ts';
import { CsvParser, isBlankRecord, type CsvDialect } from './csv-parser.ts';
import { longDelimiter } from './long-delimiter.ts';

export type SampleRecord = { cells: string[]; line: number; lines: number };
export type Sample = { records: SampleRecord[]; errors: number; quoted: number; literal: number };

/** Delimiters of most tables. */
export const usualDelimiters = [',', ';', '\t', '|'];
/** Returns the German name of a delimiter for messages. */
export const delimiterName = (delimiter: string): string => (delimiter === '\t' ? 'Tabulator' : delimiter);
/** Characters that rarely occur in texts: if every line has the same number of them, one of them is the delimiter. */
const strangeDelimiters = ['^', '~', '\u001f', '\u0001'];
/** Signs that occur in texts as well: accepted as delimiter only if all records have the same width. */
const signDelimiters = ['¦', '§', '#'];
const rareDelimiters = [...strangeDelimiters, ':', ' '];
const maxRecords = 1000;
const mostTitles = 30;

/** Parses the first records; broken ones are counted and skipped by line. `complete`: the text is the whole file. */
export function sampleRecords(text: string, dialect: CsvDialect, complete: boolean, limit = maxRecords): Sample {
  const parser = new CsvParser(dialect);
  const sample: Sample = { records: [], errors: 0, quoted: 0, literal: 0 };
  let position = 0;
  let line = 1;
  while (position < text.length && sample.records.length < limit) {
    const status = parser.parse(text, position, complete);
    if (status === 'more') break;
    if (status === 'ok') {
      if (!isBlankRecord(parser)) sample.records.push({ cells: parser.cells, line, lines: parser.lines });
      sample.quoted += parser.sawQuoted;
      if (parser.literalQuotes.length > 0) sample.literal += 1;
      position = parser.next;
      line += parser.lines;
      continue;
    }
    // An unclosed quote may mean a truncated file (reported later): it counts less than text after a closing quote.
    sample.errors += status === 'open' ? 0.25 : 1;
    if (sample.errors > 100) break;
    const end = text.indexOf(dialect.carriageReturn ? '\r' : '\n', position);
    if (end < 0) break;
    position = end + 1;
    line += 1;
  }
  return sample;
}

/** Returns the most frequent number of cells; the larger one on a tie. */
export function modalWidth(records: readonly { cells: readonly string[] }[]): number {
  const counts = new Map<number, number>();
  for (const { cells } of records) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  let best = 0;
  for (const [width, count] of counts) {
    const top = counts.get(best) ?? 0;
    if (count > top || (count === top && width > best)) best = width;
  }
  return best;
}

/** Whether at least one head cell is a name above a column of numbers, dates or addresses. */
function namesNumbers(head: readonly string[], rows: readonly SampleRecord[]): boolean {
  const isSpecial = (cell = '') => !['text', 'empty'].includes(kindOf(cell));
  return head.some(
    (name, column) =>
      kindOf(name) === 'text' && rows.filter(({ cells }) => isSpecial(cells[column])).length >= rows.length * 0.8,
  );
}

/**
 * Whether all records have the same number of cells, three or more: text split by chance does not. The header may have one cell
 * more or less, as when only the rows end with a delimiter. One-cell lines above it count as titles only if the header has
 * a name above numbers, dates or addresses.
 */
function isEven({ records, errors }: Sample): boolean {
  const titles = Math.max(
    0,
    records.slice(0, mostTitles + 1).findIndex(({ cells }) => cells.length > 1),
  );
  const [head, ...rows] = records.slice(titles);
  const width = rows[0]?.cells.length ?? 0;
  if (errors > 0 || rows.length < 2 || width < 3 || Math.abs((head?.cells.length ?? 0) - width) > 1) return false;
  if (titles > 0 && !namesNumbers(head?.cells ?? [], rows)) return false;
  return rows.every(({ cells }) => cells.length === width);
}

function score(sample: Sample): number {
  const { records } = sample;
  const several = records.filter((record) => record.cells.length > 1);
  if (several.length === 0) return 0;
  const width = modalWidth(several);
  const even = several.filter((record) => record.cells.length === width).length / records.length;
  const split = several.length / records.length;
  const head = (records[0]?.cells.length ?? 0) > 1 ? 1 : 0.6;
  const errors = 1 / (1 + (10 * sample.errors) / (records.length + sample.errors));
  return (0.5 * even + 0.5 * split) ** 2 * Math.log2(width + 1) * head * errors;
}

function escapedPattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/gu, '\\$&');
}

function countQuotedCells(text: string, delimiter: string, quote: string): number {
  const mark = escapedPattern(delimiter);
  const pattern = new RegExp(`(?<=^|${mark})${quote}(?:[^${quote}\\n]|${quote}{2})*${quote}(?=${mark}|\\r?$)`, 'gmu');
  return text.slice(0, 100_000).match(pattern)?.length ?? 0;
}

type Chosen = { dialect: CsvDialect; score: number; sample: Sample };

/**
 * Whether a cell with line breaks contains the delimiter: it may then be whole rows between two unrelated apostrophes. False if
 * most lines are no rows without this quoting.
 */
function holdsRows({ records }: Sample, delimiter: string, usual: Sample): boolean {
  const width = records[1]?.cells.length ?? 0;
  const rows = usual.records.filter(({ cells }) => cells.length === width).length;
  if (rows < usual.records.length / 2) return false;
  return records.some(
    ({ cells, lines }) => lines > 1 && cells.some((cell) => cell.includes('\n') && cell.includes(delimiter)),
  );
}

/** Returns the best quoting for one delimiter. */
function bestQuoting(text: string, complete: boolean, base: CsvDialect, fixedQuote: string | undefined): Chosen {
  const rate = (dialect: CsvDialect, weight: number) => {
    const sample = sampleRecords(text, dialect, complete);
    return { dialect, score: score(sample) * weight, sample };
  };
  const quote = fixedQuote ?? '"';
  const usual = rate({ ...base, quote, escape: quote }, 1);
  let best = usual;
  const consider = (other: typeof usual) => {
    if (other.score > best.score) best = other;
  };
  if (quote !== '' && text.includes(`\\${quote}`))
    consider(rate({ ...base, quote, escape: '\\' }, usual.sample.errors > 0 ? 1.05 : 1));
  if (fixedQuote === undefined) {
    const single = countQuotedCells(text, base.delimiter, "'");
    const inSingle = { ...base, quote: "'", escape: "'" };
    if (single >= 2 && single > usual.sample.quoted) consider(rate(inSingle, 1.1));
    else if (single > 0 || text.includes(`${base.delimiter}'`)) {
      const other = rate(inSingle, 1.1);
      if (!isEven(usual.sample) && isEven(other.sample) && !holdsRows(other.sample, base.delimiter, usual.sample))
        consider(other);
    }
    if (usual.sample.errors > 2 + usual.sample.quoted / 4) consider(rate({ ...base, quote: '', escape: '' }, 0.8));
  }
  return best;
}

/** Whether lines end with CR alone, as in old Mac files; a few LFs are then line breaks inside cells. */
export function endsWithReturns(text: string): boolean {
  const returns = text.match(/\r(?!\n)/gu)?.length ?? 0;
  const feeds = text.match(/\n/gu)?.length ?? 0;
  return returns > 1 && returns > feeds * 4;
}

/** Returns the usual delimiters, best first. If every comma is inside a number, commas come last or are left out. */
function plausibleDelimiters(text: string): readonly string[] {
  const inNumbers = text.includes(',') && !/,(?!\d)|(?<!\d),/u.test(text);
  if (!inNumbers) return usualDelimiters;
  const others = usualDelimiters.filter((delimiter) => delimiter !== ',');
  const [head = ''] = text.trimStart().split(/[\r\n]/u, 1);
  return head.includes(',') ? [...others, ','] : others;
}

/** Returns the share of records that begin with an empty cell, from 0 to 1. */
function emptyStarts({ records }: Sample): number {
  return records.filter(({ cells }) => cells[0]?.trim() === '').length / Math.max(1, records.length);
}

/** Whether a column name contains a line break without being quoted: then the first row was read as part of the header. */
function swallowsRow({ records }: Sample, { quote }: CsvDialect, text: string): boolean {
  const names = records.find(({ cells }) => cells.length > 1)?.cells ?? [];
  return names.some((name) => name.includes('\n') && !text.includes(`${quote}${name}${quote}`));
}

type Fixed = { delimiter?: string | undefined; quote?: string | undefined };
/** The line ends of the records. */
type LineEnds = Pick<CsvDialect, 'carriageReturn' | 'eitherReturn'>;

/**
 * Finds delimiter, quote and escape by trying candidates on the beginning of the file. The dialect wins under which most records
 * have the same, largest number of cells and no quoting errors.
 */
export function sniffDialect(text: string, complete: boolean, fixed: Fixed): CsvDialect {
  const returns = endsWithReturns(text);
  const found = sniffWith(text, complete, fixed, { carriageReturn: returns });
  if (!text.includes('\n') || !/\r(?![\r\n])/u.test(text)) return found;
  // A lone CR may be text, like an LF in a file of CRs. Line ends that give all records one width win if the others do not.
  const sampleOf = (dialect: CsvDialect) => sampleRecords(text, dialect, complete);
  const own = sampleOf(found);
  const alone = returns || isEven(own) ? undefined : sniffWith(text, complete, fixed, { carriageReturn: true });
  const aloneSample = alone && sampleOf(alone);
  if (aloneSample && isEven(aloneSample) && !swallowsRow(aloneSample, alone, text)) return alone;
  const either = sniffWith(text, complete, fixed, { carriageReturn: false, eitherReturn: true });
  const sample = sampleOf(either);
  // If more than twice as many records begin with an empty cell, the lone CRs were inside texts and cut them in two.
  if (emptyStarts(sample) > 2 * emptyStarts(own)) return found;
  return isEven(sample) && (sample.records.length > own.records.length || !isEven(own)) ? either : found;
}

function sniffWith(text: string, complete: boolean, fixed: Fixed, ends: LineEnds): CsvDialect {
  const base = { quote: fixed.quote ?? '"', escape: fixed.quote ?? '"', ...ends };
  const best = (delimiter: string) => bestQuoting(text, complete, { ...base, delimiter }, fixed.quote);
  if (fixed.delimiter !== undefined) return best(fixed.delimiter).dialect;
  const tryAll = (delimiters: readonly string[]) =>
    delimiters
      .filter((delimiter) => text.includes(delimiter))
      .map(best)
      .reduce<Chosen | undefined>((best, next) => (best && best.score >= next.score ? best : next), undefined);
  const usual = tryAll(plausibleDelimiters(text));
  const long = usual && longDelimiter(usual.sample.records, usual.dialect.delimiter);
  if (long !== undefined) {
    const parted = best(long);
    if (isEven(parted.sample)) return parted.dialect;
  }
  const rareDialect = usual && tryAll(strangeDelimiters);
  if (rareDialect && rareDialect.score >= 1.2 && rareDialect.score > 2 * usual.score) return rareDialect.dialect;
  const sign = tryAll(signDelimiters);
  // A usual delimiter that splits the rows but not the header occurs in texts; it then needs less to be beaten.
  const least = (usual?.sample.records[0]?.cells.length === 1 ? 1 : 2) * (usual?.score ?? 0);
  if (sign && isEven(sign.sample) && sign.score > least) return sign.dialect;
  if (usual && usual.score >= 0.3) return usual.dialect;
  const lines = text.trim().split(ends.carriageReturn ? '\r' : '\n', 2);
  // A single line is a sentence, no table. Several blanks between names align columns: then a blank is no delimiter.
  const isPadded = /\S {2,}\S/u.test(lines[0] ?? '');
  const rarely = rareDelimiters.filter((delimiter) => delimiter !== ' ' || !isPadded);
  const rare = lines.length > 1 ? tryAll(rarely) : undefined;
  if (rare && rare.score >= 1.2 && rare.score > (usual?.score ?? 0)) return rare.dialect;
  const unused = [...usualDelimiters, '\u001f'].find((delimiter) => !text.includes(delimiter)) ?? '\u001f';
  return { ...base, delimiter: unused };
}
