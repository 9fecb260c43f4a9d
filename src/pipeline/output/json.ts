import { join, sql } from '#platform/sql.ts';
import type { OutputFormat } from '#shared/exports.ts';
import { cellText, lines, type OutputColumn, type Spelling } from './cells.ts';

/** One object an item: every value a text as the merchant sees it, a missing one null. Always UTF-8 (RFC 8259). */
export function jsonSpelling(columns: readonly OutputColumn[], format: OutputFormat): Spelling {
  const members = columns.map((column) => sql`${column.name}, ${cellText(column, format.decimal)}`);
  const item = sql`CAST(json_object(${join(members, sql`, `)}) AS VARCHAR)`;
  if (format.kind === 'jsonl') return lines(item, { prefix: '', suffix: '\n' });
  const parted = sql`concat(CASE WHEN file_row_number = 0 THEN '' ELSE ',' END, ${item})`;
  return lines(parted, { prefix: '[\n', suffix: '\n]\n' });
}
