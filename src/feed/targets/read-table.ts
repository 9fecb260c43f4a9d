import { parse } from 'csv-parse/sync';
import { tableBeginning } from '#platform/text/table-beginning.ts';
import { countText } from '#shared/values/integer-text.ts';
import { type Draft, ListRefused, MAX_DEPTH, tooDeep } from './draft.ts';
import { partsOf } from './list-text.ts';
import { pairedColumns } from './paired-levels.ts';
import { readValues, tellsApart, withAttributes } from './read-attributes.ts';
import { isId, isInfo, isLevel, isName, isParent, isPath, NAMED_OTHERWISE } from './roles.ts';
import { unclosedQuote } from './unclosed-quote.ts';

const delimiters = [';', ',', '\t', '|'] as const;

/** The cells of a table's rows. */
export type Records = readonly string[][];

/** Rows above a header in which only one cell is filled: titles, as in the sheets of workbooks. */
export function withoutTitles(records: Records): Records {
  const first = records.findIndex((record) => record.filter((cell) => cell.trim() !== '').length > 1);
  return first <= 0 ? [] : records.slice(first);
}

/** Reads a table whose header names its columns; undefined if there is no such header. */
export function readTable(records: Records): { drafts: Draft[]; warnings: string[] } | undefined {
  const [head = [], ...rows] = records;
  const values = readValues(head, rows);
  if (values !== undefined) return { drafts: values, warnings: [] };
  const named = head.flatMap((title, index) => (isLevel(title) ? [index] : []));
  const found = columnsOf(head, rows, named);
  const paired = named.length === 0 && found.path === -1 ? pairedColumns(head, rows, found.id) : undefined;
  const levels = paired?.levels ?? named;
  if (levels.length > MAX_DEPTH) throw tooDeep();
  const columns = paired === undefined ? found : { ...found, name: levels.length > 0 ? -1 : paired.name };
  if (columns.name === -1 && columns.path === -1 && levels.length === 0) return undefined;
  const used = new Set([...Object.values(columns), ...levels]);
  const paths = pathsOf(rows, columns, levels);
  const isPathOfIds = rows.every((row) => isIdPath(row, columns));
  const drafts = rows.map((record, at) =>
    isPathOfIds ? draftBelow(record, columns) : draftOf(record, columns, paths[at] ?? []),
  );
  const read = withAttributes({ head, rows, used }, drafts);
  return {
    drafts: read.drafts,
    warnings: [
      ...(columns.id === -1 ? idWarning(head, rows, used) : []),
      // Among levels, a row without an id may name the level of the rows below it.
      ...(columns.id !== -1 && levels.length === 0 ? unnumbered(rows, drafts, columns) : []),
      ...read.warnings,
    ],
  };
}

function columnsOf(head: readonly string[], rows: readonly string[][], levels: readonly number[]): Columns {
  const others = (is: (title: string) => boolean) => head.findIndex((title) => is(title) && !isLevel(title));
  const id = idColumn(head, rows);
  const path = others(isPath);
  const called = others((title) => isName(title) && !isId(title));
  const isNameless = called === -1 && path === -1 && levels.length === 0 && id !== -1;
  const otherwise = NAMED_OTHERWISE.map((shape) => head.findIndex((title) => shape.test(title.trim())));
  const name = isNameless ? (otherwise.find((index) => index !== -1) ?? -1) : called;
  const info = head.findIndex((title, index) => isInfo(title) && !isLevel(title) && (!isNameless || index !== name));
  return { id, parent: others(isParent), path, name, info };
}

const cellOf = (record: readonly string[], index: number): string => (index === -1 ? '' : (record[index] ?? '').trim());

/** The path of each row, by its column or its levels. A level that is written once also applies to the rows below. */
function pathsOf(rows: readonly string[][], { path }: Columns, levels: readonly number[]): string[][] {
  let above: string[] = [];
  return rows.map((record) => {
    if (path !== -1) return partsOf(cellOf(record, path), /[>»›|]/);
    const cells = levels.map((index) => cellOf(record, index));
    const first = cells.findIndex((cell) => cell !== '');
    if (first === -1) return [];
    above = [...above.slice(0, first), ...cells.slice(first)];
    return above.filter((part) => part !== '');
  });
}

/** In Magento an entry's path consists of the ids above it and its own. */
function isIdPath(record: readonly string[], { id, path, name }: Columns): boolean {
  const own = cellOf(record, id);
  return name !== -1 && own !== '' && cellOf(record, path).split('/').at(-1) === own;
}

function draftBelow(record: readonly string[], columns: Columns): Draft {
  const parent = cellOf(record, columns.path).split('/').at(-2);
  const draft = {
    id: cellOf(record, columns.id),
    name: cellOf(record, columns.name),
    info: cellOf(record, columns.info),
  };
  return parent === undefined ? draft : { ...draft, parent };
}

/** In a column of ids at least this share of the values is distinct; otherwise they are properties that rows share. */
const DIFFERENT = 0.5;
/** The most columns whose values are counted: a file may have thousands. */
const MOST_COUNTED = 40;

/** The id column: of those so named the first with distinct values in all rows, else in most; duplicates are refused later. */
function idColumn(head: readonly string[], rows: readonly string[][]): number {
  const candidates = head.flatMap((title, index) => (isId(title) && !isLevel(title) ? [index] : []));
  const share = (index: number) =>
    new Set(rows.map((row) => (row[index] ?? '').trim()).filter((cell) => cell !== '')).size / Math.max(1, rows.length);
  return (
    candidates.find((index) => rows.length > 0 && tellsApart(rows, index)) ??
    candidates.slice(0, MOST_COUNTED).find((index) => share(index) >= DIFFERENT) ??
    -1
  );
}

/** Warns that names are used as ids although another column looks like ids, which is probably wrong. */
function idWarning(head: readonly string[], rows: readonly string[][], used: ReadonlySet<number>): string[] {
  const index = head.findIndex(
    (_title, at) =>
      !used.has(at) &&
      rows.length > 1 &&
      rows.every((row) => /^(?=.*\d)[\w.:/-]{1,40}$/.test((row[at] ?? '').trim())) &&
      new Set(rows.map((row) => row[at])).size === rows.length,
  );
  if (index === -1) return [];
  return [
    `Keine Spalte heißt so, dass sie als Kennung zu erkennen wäre: Die Namen dienen als Kennung. Stehen die Kennungen des Kanals in „${head[index]?.trim() ?? ''}“, nennen Sie diese Spalte bitte „ID“ und laden die Datei noch einmal hoch.`,
  ];
}

/** Warns of rows whose names are used as ids although the table has ids: totals, for example. */
function unnumbered(rows: readonly string[][], drafts: readonly Draft[], columns: Columns): string[] {
  const named = drafts.filter(({ name }, at) => name !== '' && cellOf(rows[at] ?? [], columns.id) === '');
  if (named.length === 0) return [];
  return [
    `In ${countText(named.length, 'Zeile', 'Zeilen')} fehlt die Kennung, zuerst bei „${named[0]?.id ?? ''}“: Dort dient der Name als Kennung. Der Kanal kennt sie so nicht; bitte ergänzen Sie die Kennung oder entfernen Sie die Zeile, und laden Sie die Datei noch einmal hoch.`,
  ];
}

/** Reads a table without a header: an id and a name for each level, or id, name and information. */
export function readHeadless(records: Records): Draft[] {
  const paths = records.map(([, ...cells]) => joined(cells.map((cell) => cell.trim())));
  // At least three levels: of two, the second may be information about the first.
  const isTree = paths.some((path) => path.split(SEPARATOR).length > 2) && isClosed(paths);
  return records.map(([first = '', second = '', third = ''], at) => {
    const path = (paths[at] ?? '').split(SEPARATOR);
    if (isTree) return { id: first.trim(), name: path.at(-1) ?? '', info: '', path };
    return { id: first.trim(), name: (second === '' ? first : second).trim(), info: third.trim() };
  });
}

const SEPARATOR = '\u001F';
const joined = (cells: readonly string[]): string =>
  cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1).join(SEPARATOR);

/** Whether each path's parent is in the list, too: true of levels, but not of information about names. */
function isClosed(paths: readonly string[]): boolean {
  const all = new Set(paths);
  return paths.every((path) => {
    const end = path.lastIndexOf(SEPARATOR);
    return path !== '' && !path.includes(SEPARATOR + SEPARATOR) && (end === -1 || all.has(path.slice(0, end)));
  });
}

type Columns = Record<'id' | 'parent' | 'path' | 'name' | 'info', number>;

function draftOf(record: readonly string[], columns: Columns, path: readonly string[]): Draft {
  const named = cellOf(record, columns.name);
  const name = named === '' ? (path.at(-1) ?? '') : named;
  const id = cellOf(record, columns.id);
  const parent = cellOf(record, columns.parent);
  return {
    id: id === '' ? (path.length > 1 ? path.join(' > ') : name) : id,
    name,
    info: cellOf(record, columns.info),
    ...(path.length > 0 && path[0] !== '' ? { path } : {}),
    ...(parent === '' ? {} : { parent }),
  };
}

/** Returns the cells of a table; undefined if the text is no table. `named`: the delimiter that a line above it names. */
export function recordsOf(text: string, named?: string): Records | undefined {
  const delimiter = delimiterOf(text, named);
  if (delimiter === undefined) return undefined;
  // Tab-separated lists are not quoted; their texts contain inch marks and quotations.
  const isQuoted = delimiter !== '\t';
  const unclosed = isQuoted ? unclosedQuote(text, delimiter) : undefined;
  if (unclosed !== undefined) throw unreadable(` (Zeile ${unclosed.line}, bei „${unclosed.beginning}“)`);
  try {
    return parse(text, {
      delimiter,
      // Otherwise the first line end is the only one that ends a row, and rows with another one are lost.
      record_delimiter: ['\r\n', '\n', '\r'],
      quote: isQuoted ? '"' : null,
      // An inch mark in a cell without quotes belongs to the text.
      relax_quotes: true,
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: 100_000,
    });
  } catch (error) {
    throw unreadable(error instanceof Error && 'lines' in error ? ` (Zeile ${String(error.lines)})` : '');
  }
}

const unreadable = (place: string) =>
  new ListRefused(`Die Tabelle ist nicht lesbar${place}: ein Anführungszeichen steht an falscher Stelle oder fehlt.`);

/** The delimiter that is named and occurs, or that occurs in most of the first lines, equally often in each. */
function delimiterOf(text: string, named?: string): string | undefined {
  const lines = tableBeginning(text)
    .split(/\r\n|\n|\r/, 20)
    .filter((line) => line.trim() !== '');
  if (named !== undefined && lines.filter((line) => line.includes(named)).length > lines.length / 2) return named;
  const scored = delimiters.map((mark) => {
    const counts = lines.map((line) => line.split(mark).length - 1);
    return { mark, lines: counts.filter((count) => count > 0 && count === counts[0]).length };
  });
  const best = scored.toSorted((a, b) => b.lines - a.lines)[0];
  return best !== undefined && best.lines > lines.length / 2 ? best.mark : undefined;
}
