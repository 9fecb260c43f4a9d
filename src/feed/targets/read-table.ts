import { parse } from 'csv-parse/sync';
import { type Draft, ListRefused } from './draft.ts';

const delimiters = [';', ',', '\t', '|'] as const;

/** What columns are called in lists of channels and classification systems, by what they mean. */
const roles = {
  id: /^(?:id|gid|code|nr|nummer|kennung|key|schlüssel|valueid|(?:category|kategorie|klasse[n]?|brand|marke[n]?|farb|color|colour)[ _-]?(?:id|nr|nummer|code))$/i,
  parent: /parent|eltern|übergeordnet|oberkategorie|^ober/i,
  path: /path|pfad|breadcrumb|full[ _-]?name|hierarchi(?:e|y)$/i,
  name: /name|bezeichnung|title|titel|label|^(?:kategorie|category|marke|brand|hersteller|manufacturer|farbe|colou?r|wert|value)$/i,
  info: /info|typ$|type$|hex|beschreibung|description/i,
} as const;
const levelColumn = /^(?:level|ebene|stufe|kategorie|category)[ _-]?\d+$/i;

/** A table whose header names its columns; undefined if there is no such header. */
export function readTable(text: string): Draft[] | undefined {
  const records = recordsOf(text);
  const [head = []] = records ?? [];
  const columns = {
    id: columnOf(head, roles.id),
    parent: columnOf(head, roles.parent),
    path: columnOf(head, roles.path),
    name: columnOf(head, roles.name),
    info: columnOf(head, roles.info),
  };
  const levels = head.flatMap((title, index) => (levelColumn.test(title.trim()) ? [index] : []));
  if (records === undefined || (columns.name === -1 && columns.path === -1 && levels.length === 0)) return undefined;
  return records.slice(1).map((record) => draftOf(record, columns, levels));
}

/** A table without a header: id, name, and whatever is said of it. */
export function readHeadless(text: string): Draft[] | undefined {
  return recordsOf(text)?.map(([first = '', second = '', third = '']) => ({
    id: first.trim(),
    name: (second === '' ? first : second).trim(),
    info: third.trim(),
  }));
}

type Columns = Record<keyof typeof roles, number>;

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

function columnOf(head: readonly string[], role: RegExp): number {
  return head.findIndex((title) => role.test(title.trim()) && !levelColumn.test(title.trim()));
}
