import { join, sql } from '#platform/sql.ts';
import type { OutputFormat } from '#shared/exports.ts';
import { cellText, type OutputColumn, type Spelling } from './cells.ts';

/** One object an item: every value a text as the merchant sees it, a missing one null. Always UTF-8 (RFC 8259). */
export function jsonSpelling(columns: readonly OutputColumn[], format: OutputFormat): Spelling {
  const members = columns.flatMap((column, index) => {
    const text = cellText(column, format.decimal);
    return [
      sql`${`${index === 0 ? '{' : ','}${JSON.stringify(column.name)}:`}`,
      sql`coalesce(CAST(to_json(${text}) AS VARCHAR), 'null')`,
    ];
  });
  const item = sql`concat(${join([...members, sql`'}'`], sql`, `)})`;
  if (format.kind === 'jsonl') return { prefix: '', item, suffix: '\n' };
  return {
    prefix: '[\n',
    item: sql`concat(CASE WHEN file_row_number = 0 THEN '' ELSE ',' END, ${item})`,
    suffix: '\n]\n',
  };
}
