import type { Relation } from '#engine/duckdb/relation.ts';
import type { ChannelField } from '#shared/channels/schema.ts';
import type { NumberGroups } from '#shared/import/schema.ts';

/** How a list leaves: its column holds VARCHAR[], an entry each, missing ones NULL; the whole is NULL if all are. */
export type ListShape = {
  /** The names that go out with the values; null: the values alone. */
  readonly keys: readonly string[] | null;
  readonly separator: string;
  /** A column or element for each value instead of one for all. */
  readonly repeat: boolean;
  readonly size: number;
  /** What may hold several addresses, which the file takes apart: the column's one text (VARCHAR), or each entry. */
  readonly parted?: 'text' | 'entries';
};

/** A column of the export: its name there and its column in the relation. */
export type ExportColumn = {
  readonly name: string;
  readonly column: string;
  /** The construction row that it comes from. */
  readonly rowId: string;
  /** Decimal marks are spelled as the channel wants. */
  readonly number: boolean;
  /** A number that is money. */
  readonly price: boolean;
  readonly list?: ListShape;
  /** What the channel says of it. */
  readonly field?: ChannelField;
  /** What a mark before three digits means, as the catalogue's column shows it; absent where the value is not of one column. */
  readonly groups?: NumberGroups;
  /** No item has a value. */
  readonly empty?: true;
};
export type Constructed = { readonly relation: Relation; readonly columns: readonly ExportColumn[] };
