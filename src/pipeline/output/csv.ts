import { join, sql } from '#platform/sql.ts';
import type { OutputFormat } from '#shared/exports.ts';
import { cellText, type OutputColumn, type Spelling } from './cells.ts';

/** RFC 4180 with the merchant's delimiter, quote and line end; a missing value is an empty cell. */
export function csvSpelling(columns: readonly OutputColumn[], format: OutputFormat): Spelling {
  const { delimiter, quote, quoting, lineEnd } = format;
  const quoted = (cell: string) => quote + cell.replaceAll(quote, quote + quote) + quote;
  const special = new RegExp(`[${escapeInClass(delimiter)}${escapeInClass(quote)}\\r\\n]`);
  // A line of one empty cell would be a blank line, which readers skip.
  const always = quoting === 'always' || columns.length === 1;
  const header = columns
    .map(({ name }) => (quoting === 'always' || special.test(name) ? quoted(name) : name))
    .join(delimiter);
  const cells = columns.map((column) => {
    const text = cellText(column, format.decimal);
    const inQuotes = sql`concat(${quote}, replace(${text}, ${quote}, ${quote + quote}), ${quote})`;
    if (always) return sql`CASE WHEN ${text} IS NULL THEN ${quote + quote} ELSE ${inQuotes} END`;
    return sql`CASE WHEN regexp_matches(${text}, ${special.source}) THEN ${inQuotes} ELSE ${text} END`;
  });
  const between = cells.flatMap((cell, index) => (index === 0 ? [cell] : [sql`${delimiter}`, cell]));
  // The calculator ends each line with a line feed; what stands before it is ours.
  const end = lineEnd === '\r\n' ? [sql`chr(13)`] : [];
  return {
    prefix: format.header ? header + lineEnd : '',
    item: sql`concat(${join([...between, ...end], sql`, `)})`,
    suffix: '\n',
  };
}

const escapeInClass = (character: string) => (character === '\t' ? '\\t' : character === '|' ? '\\|' : character);
