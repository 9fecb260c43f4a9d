import { duck, type Sql } from '#platform/duckdb/sql.ts';

/**
 * How a kind of file is spelled, over spelled items. `columns` is what the calculator selects of each item and `writing` how it
 * writes a line of them (options of COPY); `prefix` stands before the items, `suffix` behind them, `lineEnd` between them.
 * Without a prefix the suffix is the line end.
 */
export type Serializer = {
  readonly prefix: string;
  readonly columns: Sql;
  readonly writing: Sql;
  readonly lineEnd: string;
  readonly suffix: string;
};

/** Each item is one text that we spell ourselves: no quote, no escape, and a delimiter that never parts anything. */
export function lines(item: Sql, around: { prefix: string; suffix: string; lineEnd?: string }): Serializer {
  return {
    lineEnd: '\n',
    ...around,
    columns: duck`${item} AS line`,
    writing: duck`QUOTE '', ESCAPE '', DELIMITER '\x01'`,
  };
}
