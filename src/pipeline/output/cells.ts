import { numberOf } from '#engine/duckdb-number.ts';
import { name, sql, type Sql } from '#platform/sql.ts';
import type { OutputFormat } from '#shared/exports.ts';

/** A column of the file: its name there, its column in the run's Parquet file. */
export type OutputColumn = { readonly name: string; readonly column: string; readonly number: boolean };

/** How a kind of file is spelled: what stands before and after the items, and one item as one text. Without a prefix the suffix is a line feed. */
export type Spelling = { readonly prefix: string; readonly item: Sql; readonly suffix: string };

/**
 * A column's text as it goes out: numbers with the decimal mark that the channel wants, everything else untouched.
 * Whole numbers stay as they are, so article numbers and EANs never change.
 */
export function cellText(column: OutputColumn, decimal: OutputFormat['decimal']): Sql {
  const cell = name(column.column);
  if (decimal === 'keep' || !column.number) return cell;
  const plain = sql`regexp_replace(regexp_replace(CAST(${numberOf(cell)} AS VARCHAR), '(\\.[0-9]*?)0+$', '\\1'), '\\.$', '')`;
  // At least two decimals where the value had some: 12.5 is a price of 12.50.
  const money = sql`regexp_replace(${plain}, '(\\.[0-9])$', '\\10')`;
  const spelled = decimal === 'comma' ? sql`replace(${money}, '.', ',')` : money;
  return sql`CASE WHEN contains(${cell}, '.') OR contains(${cell}, ',') THEN coalesce(${spelled}, ${cell}) ELSE ${cell} END`;
}
