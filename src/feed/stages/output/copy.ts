import { duck, join, name, type Sql } from '#platform/duckdb/sql.ts';

/**
 * How items are written in a file kind. `columns` is what DuckDB selects of each serialized item, and `writing` how it writes a
 * line of them (options of COPY); `prefix` precedes the items, `suffix` follows them, `lineEnd` separates them. Without a prefix
 * the suffix is the line end. `flags`: columns of each item that `columns` reads more than once.
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
 * Writes each item as one text that we serialize ourselves: no quote, no escape, and a delimiter that never occurs. Without
 * FORCE_QUOTE, DuckDB would test every byte for whether its line needs quotes.
 */
export function lines(item: Sql, around: Around): Serializer {
  return {
    lineEnd: '\n',
    ...around,
    columns: duck`${item} AS line`,
    writing: duck`QUOTE '', ESCAPE '', DELIMITER '\x01', FORCE_QUOTE (line)`,
  };
}

/** Whether the text of a column contains markup: one of `markupFlags`. */
export const holdsMarkup = (column: string): Sql => name(`_markup_${column}`);

/** Tests each text of these columns once for markup. */
export function markupFlags(columns: readonly string[]): Pick<Around, 'flags'> {
  const flags = [...new Set(columns)].map((column) => {
    const text = name(column);
    return duck`(contains(${text}, '<') OR contains(${text}, '&')) AS ${holdsMarkup(column)}`;
  });
  return flags.length === 0 ? {} : { flags: join(flags, duck`, `) };
}

/**
 * A text between two constants, as parts of a `concat`; only `missing` if the cell has no text. Joining the constants to each
 * text before the item is joined would copy it once more.
 */
export function between(cell: Sql, text: Sql, { open, close, missing = '' }: Constants): Sql[] {
  return [
    duck`CASE WHEN ${cell} IS NULL THEN ${missing} ELSE ${open} END`,
    text,
    duck`CASE WHEN ${cell} IS NULL THEN '' ELSE ${close} END`,
  ];
}
type Constants = { readonly open: Sql; readonly close: Sql; readonly missing?: string };
