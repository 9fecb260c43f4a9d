import { join, ownText, sql, type Sql } from '#platform/sql.ts';
import type { OutputFormat } from '#shared/exports.ts';
import { cellText, lines, type OutputColumn, type Spelling } from './cells.ts';

/** RFC 4180 with the merchant's delimiter, quote and line end; a missing value is an empty cell. */
export function csvSpelling(columns: readonly OutputColumn[], format: OutputFormat): Spelling {
  const { delimiter, quote, quoting, lineEnd } = format;
  const quoted = (cell: string) => quote + cell.replaceAll(quote, quote + quote) + quote;
  const plain = (cell: string) => ![delimiter, quote, '\r', '\n'].some((special) => cell.includes(special));
  const names = columns.map(({ name }) => (quoting === 'needed' && plain(name) ? name : quoted(name)));
  const prefix = format.header ? names.join(delimiter) + lineEnd : '';
  // A line of one empty cell would be a blank line, which readers skip.
  if (quoting === 'always' || columns.length === 1)
    return lines(allQuoted(columns, format), { prefix, suffix: lineEnd, lineEnd });
  return {
    prefix,
    columns: join(
      columns.map((column) => cellText(column, format.decimal)),
      sql`, `,
    ),
    writing: sql`DELIMITER ${ownText(delimiter)}, QUOTE ${ownText(quote)}, ESCAPE ${ownText(quote)}, NULLSTR ''`,
    lineEnd,
    suffix: lineEnd,
  };
}

function allQuoted(columns: readonly OutputColumn[], { delimiter, quote, decimal }: OutputFormat): Sql {
  const cells = columns.flatMap((column, index) => {
    const text = cellText(column, decimal);
    const cell = sql`concat(${quote}, replace(${text}, ${quote}, ${quote + quote}), ${quote})`;
    return index === 0 ? [cell] : [sql`${delimiter}`, cell];
  });
  return sql`concat(${join(cells, sql`, `)})`;
}
