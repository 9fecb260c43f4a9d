import { duck, join, name, type Sql } from '#platform/duckdb/sql.ts';

/**
 * How a kind of file is spelled, over spelled items. `columns` is what the calculator selects of each item and `writing` how it
 * writes a line of them (options of COPY); `prefix` stands before the items, `suffix` behind them, `lineEnd` between them.
 * Without a prefix the suffix is the line end. `flags`: columns of each item that `columns` reads more than once.
 */
export type Serializer = {
  readonly prefix: string;
  readonly flags?: Sql;
  readonly columns: Sql;
  readonly writing: Sql;
  readonly lineEnd: string;
  readonly suffix: string;
};

type Around = { prefix: string; suffix: string; lineEnd?: string; flags?: Sql };

/**
 * Each item is one text that we spell ourselves: no quote, no escape, and a delimiter that never parts anything. Where nothing is forced,
 * DuckDB looks at every byte whether its line needs the quotes that there are none of.
 */
export function lines(item: Sql, around: Around): Serializer {
  return {
    lineEnd: '\n',
    ...around,
    columns: duck`${item} AS line`,
    writing: duck`QUOTE '', ESCAPE '', DELIMITER '\x01', FORCE_QUOTE (line)`,
  };
}

/** Whether the text of a column holds markup: one of `markupFlags`. */
export const holdsMarkup = (column: string): Sql => name(`_markup_${column}`);

/** Asks once of each text of these columns whether it holds markup. */
export function markupFlags(columns: readonly string[]): Pick<Around, 'flags'> {
  const flags = [...new Set(columns)].map((column) => {
    const text = name(column);
    return duck`(contains(${text}, '<') OR contains(${text}, '&')) AS ${holdsMarkup(column)}`;
  });
  return flags.length === 0 ? {} : { flags: join(flags, duck`, `) };
}

/**
 * A text between two constants, as parts of a `concat`: nothing but `missing` where there is no text in the cell. Joining the constants to
 * each text before the item is joined would copy it once more.
 */
export function between(cell: Sql, text: Sql, { open, close, missing = '' }: Constants): Sql[] {
  return [
    duck`CASE WHEN ${cell} IS NULL THEN ${missing} ELSE ${open} END`,
    text,
    duck`CASE WHEN ${cell} IS NULL THEN '' ELSE ${close} END`,
  ];
}
type Constants = { readonly open: Sql; readonly close: Sql; readonly missing?: string };
