import { join, name, ownText, duck, type Sql } from '#platform/duckdb/sql.ts';
import { replaced } from '#engine/duckdb/replaced.ts';
import type { OutputFormat } from '#shared/exports/schema.ts';
import { lines, type Serializer } from '#feed/stages/output/copy.ts';
import type { OutputColumn } from '#feed/stages/output/cells.ts';
import { entryAt, joinedText, namedEntry } from '#feed/stages/output/lists.ts';

/** A cell of a line: its name in the header, and its text over serialized items. */
export type Cell = { readonly name: string; readonly text: Sql; readonly column: OutputColumn };

/** The cells of a line; a list that repeats its column has as many as its most entries. */
export function cellsOf(columns: readonly OutputColumn[]): Cell[] {
  return columns.flatMap((column): Cell[] => {
    const cell = name(column.column);
    const { list } = column;
    if (!list) return [{ name: column.name, text: cell, column }];
    if (!list.repeat) return [{ name: column.name, text: joinedText(cell, column, false), column }];
    const { keys } = list;
    return Array.from({ length: list.size }, (_, index) => ({
      name: column.name,
      text: keys === null ? entryAt(cell, index) : namedEntry(cell, keys[index] ?? '', index),
      column,
    }));
  });
}

/** RFC 4180 with the merchant's delimiter, quote and line end; a missing value is an empty cell. */
export function csvSerializer(columns: readonly OutputColumn[], format: OutputFormat): Serializer {
  const { delimiter, quote, quoting, lineEnd } = format;
  const quoted = (cell: string) => quote + cell.replaceAll(quote, quote + quote) + quote;
  const plain = (cell: string) => ![delimiter, quote, '\r', '\n'].some((special) => cell.includes(special));
  const cells = cellsOf(columns);
  const names = cells.map(({ name }) => (quoting === 'needed' && plain(name) ? name : quoted(name)));
  const prefix = format.header ? names.join(delimiter) + lineEnd : '';
  // A line of one empty cell would be a blank line, which readers skip.
  if (quoting === 'always' || cells.length === 1)
    return lines(allQuoted(cells, format), { prefix, suffix: lineEnd, lineEnd });
  return {
    prefix,
    columns: join(
      cells.map(({ text }, index) => duck`${text} AS ${name(`cell${index}`)}`),
      duck`, `,
    ),
    writing: duck`DELIMITER ${ownText(delimiter)}, QUOTE ${ownText(quote)}, ESCAPE ${ownText(quote)}, NULLSTR ''`,
    lineEnd,
    suffix: lineEnd,
  };
}

function allQuoted(cells: readonly Cell[], format: OutputFormat): Sql {
  const { delimiter, quote } = format;
  const texts = cells.flatMap(({ text }, index) => {
    const cell = duck`concat(${quote}, ${replaced(text, duck`${quote}`, duck`${quote + quote}`)}, ${quote})`;
    return index === 0 ? [cell] : [duck`${delimiter}`, cell];
  });
  return duck`concat(${join(texts, duck`, `)})`;
}
