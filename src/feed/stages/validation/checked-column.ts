import { duck, type Sql } from '#platform/duckdb/sql.ts';
import type { ChannelField } from '#shared/channels/schema.ts';
import type { Requirement } from '#shared/channels/requirement.ts';
import type { ItemField } from './item-checks.ts';

/** A column of the export as it will be written. `text` and `entries` read the relation's columns. */
export type CheckedColumn = {
  readonly name: string;
  readonly rowId: string;
  /** The requirement set in the construction row. */
  readonly requirement: Requirement;
  readonly text: Sql;
  /** The same text as separate steps. */
  readonly serialized: {
    readonly cell: Sql;
    /** Removes the characters that the file cannot hold. */
    readonly cleaning: ((text: Sql) => Sql) | undefined;
    readonly steps: readonly ((text: Sql) => Sql)[];
    /** Whether the steps produce no letters that the cell did not contain. */
    readonly keepsLetters: boolean;
  };
  /** `entries`: VARCHAR[], one for each value; `separator` joins them in one column. */
  readonly list?: { readonly entries: Sql; readonly separator: string; readonly repeat: boolean };
  /** For pictures in a cell beyond the columns of the file; `holds` is the cheap part of the test. */
  readonly leftOut?: { readonly places: number; readonly addresses: Sql; readonly holds: Sql };
  /** Set if prices in the column are ambiguous; `detail` says how they are read. */
  readonly unclear?: { readonly detail: string; readonly maybe: Sql; readonly holds: Sql };
  readonly field?: ChannelField;
};

export type Checked = {
  readonly column: CheckedColumn;
  readonly index: number;
  readonly item: ItemField;
  /** undefined: only checked for being filled. */
  readonly field: ChannelField | undefined;
};

export type ListOf = { entriesOf: (text: Sql) => Sql; separator: string; repeat: boolean };

/** The values of a column with several: a list's entries, or the parts of a text. No part contains the separator. */
export function listOf({ list, field }: CheckedColumn): ListOf | undefined {
  if (list) return { entriesOf: () => list.entries, separator: list.separator, repeat: list.repeat };
  const many = field?.many;
  if (!many || many.repeat || many.separator === '') return undefined;
  const entriesOf = (text: Sql) => duck`list_transform(string_split(${text}, ${many.separator}), lambda e: trim(e))`;
  return { entriesOf, separator: '', repeat: false };
}
