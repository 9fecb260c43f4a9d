import { numberOf } from '#engine/duckdb-number.ts';
import { name, sql, type Sql } from '#platform/sql.ts';
import type { OutputFormat } from '#shared/exports.ts';

/** A column of the file: its name there, its column in the run's Parquet file. */
export type OutputColumn = { readonly name: string; readonly column: string; readonly number: boolean };

/**
 * How a kind of file is spelled. `columns` is what the calculator selects of each item and `writing` how it writes a line of
 * them (options of COPY); `prefix` stands before the items, `suffix` behind them, `lineEnd` between them. Without a prefix the suffix is
 * the line end.
 */
export type Spelling = {
  readonly prefix: string;
  readonly columns: Sql;
  readonly writing: Sql;
  readonly lineEnd: string;
  readonly suffix: string;
};

/** Each item is one text that we spell ourselves: no quote, no escape, and a delimiter that never parts anything. */
export function lines(item: Sql, around: { prefix: string; suffix: string; lineEnd?: string }): Spelling {
  return {
    lineEnd: '\n',
    ...around,
    columns: sql`${item} AS line`,
    writing: sql`QUOTE '', ESCAPE '', DELIMITER '\x01'`,
  };
}

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
