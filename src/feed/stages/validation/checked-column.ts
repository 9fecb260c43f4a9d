import { duck, type Sql } from '#platform/duckdb/sql.ts';
import type { ChannelField } from '#shared/channels/schema.ts';
import type { Requirement } from '#shared/channels/requirement.ts';
import type { ItemField } from './item-checks.ts';

/** A column of the export as it goes out. `text` and `entries` read the relation's columns. */
export type CheckedColumn = {
  readonly name: string;
  readonly rowId: string;
  /** What the construction row says of it. */
  readonly requirement: Requirement;
  readonly text: Sql;
  /** The same step by step. */
  readonly serialized: {
    readonly cell: Sql;
    /** Takes out the characters that the file cannot hold. */
    readonly cleaning: ((text: Sql) => Sql) | undefined;
    readonly steps: readonly ((text: Sql) => Sql)[];
    /** The steps make no letters that the cell did not hold. */
    readonly keepsLetters: boolean;
  };
  /** VARCHAR[], one entry for each value; `separator` joins them in one column. */
  readonly list?: { readonly entries: Sql; readonly separator: string; readonly repeat: boolean };
  /** Pictures that the cell holds beyond those that there is a place for; `holds` is the cheap half. */
  readonly leftOut?: { readonly places: number; readonly addresses: Sql; readonly holds: Sql };
  /** Prices in it may be read in two ways; `detail` says how they are. */
  readonly unclear?: { readonly detail: string; readonly maybe: Sql; readonly holds: Sql };
  readonly field?: ChannelField;
};

export type Checked = {
  readonly column: CheckedColumn;
  readonly index: number;
  readonly item: ItemField;
  /** undefined: it is only checked whether it is filled. */
  readonly field: ChannelField | undefined;
};

export type ListOf = { entriesOf: (text: Sql) => Sql; separator: string; repeat: boolean };

/** The values of a column of several: a list's entries, or the parts of a text that holds several already. No part holds its separator. */
export function listOf({ list, field }: CheckedColumn): ListOf | undefined {
  if (list) return { entriesOf: () => list.entries, separator: list.separator, repeat: list.repeat };
  const many = field?.many;
  if (!many || many.repeat || many.separator === '') return undefined;
  const entriesOf = (text: Sql) => duck`list_transform(string_split(${text}, ${many.separator}), lambda e: trim(e))`;
  return { entriesOf, separator: '', repeat: false };
}
