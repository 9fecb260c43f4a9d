import { parse } from 'csv-parse/sync';
import { type Draft, ListRefused } from './draft.ts';
import { isId, isInfo, isLevel, isName, isParent, isPath } from './roles.ts';

const delimiters = [';', ',', '\t', '|'] as const;

/** A table whose header names its columns; undefined if there is no such header. */
export function readTable(text: string): { drafts: Draft[]; warnings: string[] } | undefined {
  const records = recordsOf(text);
  if (records === undefined) return undefined;
  const [head = [], ...rows] = records;
  const others = (is: (title: string) => boolean) => head.findIndex((title) => is(title) && !isLevel(title));
  const columns = {
    id: idColumn(head, rows),
    parent: others(isParent),
    path: others(isPath),
    name: others((title) => isName(title) && !isId(title)),
    info: others(isInfo),
  };
  const levels = head.flatMap((title, index) => (isLevel(title) ? [index] : []));
  if (columns.name === -1 && columns.path === -1 && levels.length === 0) return undefined;
  const used = new Set([...Object.values(columns), ...levels]);
  const drafts = rows.map((record) => draftOf(record, columns, levels));
  return { drafts, warnings: columns.id === -1 ? idWarning(head, rows, used) : [] };
}

/** At least this share of the values differs where they are ids; less, and they are what rows have in common. */
const DIFFERENT = 0.5;

/** The column of ids: of those that are called so the first that tells all rows apart, else the first that nearly does, whose clashes are refused later. */
function idColumn(head: readonly string[], rows: readonly string[][]): number {
  const candidates = head.flatMap((title, index) => (isId(title) && !isLevel(title) ? [index] : []));
  const share = (index: number) =>
    new Set(rows.map((row) => (row[index] ?? '').trim()).filter((cell) => cell !== '')).size / Math.max(1, rows.length);
  return candidates.find((index) => share(index) === 1) ?? candidates.find((index) => share(index) >= DIFFERENT) ?? -1;
}

/** Names take the place of ids; where another column looks like ids, that is probably wrong. */
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

/** A table without a header: id, name, and whatever is said of it. */
export function readHeadless(text: string): Draft[] | undefined {
  return recordsOf(text)?.map(([first = '', second = '', third = '']) => ({
    id: first.trim(),
    name: (second === '' ? first : second).trim(),
    info: third.trim(),
  }));
}

type Columns = Record<'id' | 'parent' | 'path' | 'name' | 'info', number>;

function draftOf(record: readonly string[], columns: Columns, levels: readonly number[]): Draft {
  const cell = (index: number) => (index === -1 ? '' : (record[index] ?? '').trim());
  const path =
    columns.path === -1 ? levels.map(cell).filter((part) => part !== '') : cell(columns.path).split(/\s*[>»›|]\s*/);
  const named = cell(columns.name);
  const name = named === '' ? (path.at(-1) ?? '') : named;
  const id = cell(columns.id);
  const parent = cell(columns.parent);
  return {
    id: id === '' ? (path.length > 1 ? path.join(' > ') : name) : id,
    name,
    info: cell(columns.info),
    ...(path.length > 0 && path[0] !== '' ? { path } : {}),
    ...(parent === '' ? {} : { parent }),
  };
}

/** The cells of a table; undefined if the text is none. */
function recordsOf(text: string): string[][] | undefined {
  const delimiter = delimiterOf(text);
  if (delimiter === undefined) return undefined;
  try {
    return parse(text, {
      delimiter,
      // Tab-separated lists are not quoted; their texts hold inches and quotations.
      quote: delimiter === '\t' ? null : '"',
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: 100_000,
    });
  } catch (error) {
    const line = error instanceof Error && 'lines' in error ? ` (Zeile ${String(error.lines)})` : '';
    throw new ListRefused(
      `Die Tabelle ist nicht lesbar${line}: ein Anführungszeichen steht an falscher Stelle oder fehlt.`,
    );
  }
}

/** The mark that stands in most of the first lines, and equally often. */
function delimiterOf(text: string): string | undefined {
  const lines = text.split(/\r\n|\n|\r/, 20).filter((line) => line.trim() !== '');
  const scored = delimiters.map((mark) => {
    const counts = lines.map((line) => line.split(mark).length - 1);
    return { mark, lines: counts.filter((count) => count > 0 && count === counts[0]).length };
  });
  const best = scored.toSorted((a, b) => b.lines - a.lines)[0];
  return best !== undefined && best.lines > lines.length / 2 ? best.mark : undefined;
}
