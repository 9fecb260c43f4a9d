import type { Relation } from '#engine/duckdb/relation.ts';
import type { SourcePart } from '#shared/construction/schema.ts';
import type { ChannelField } from '#shared/channels/schema.ts';
import type { NumberGroups } from '#shared/import/schema.ts';

/** How a list is exported: its column is VARCHAR[], one element for each entry, NULL if missing; NULL as a whole if all are. */
export type ListShape = {
  /** The names exported with the values; null: the values alone. */
  readonly keys: readonly string[] | null;
  readonly separator: string;
  /** Whether each value has a column or element of its own instead of one for all. */
  readonly repeat: boolean;
  readonly size: number;
  /** Set if texts may contain several addresses, which the file splits: the column's one text (VARCHAR), or each entry. */
  readonly parted?: 'text' | 'entries';
};

/** A column of the export: its name there and its column in the relation. */
export type ExportColumn = {
  readonly name: string;
  readonly column: string;
  /** The construction row that the column comes from. */
  readonly rowId: string;
  /** Whether decimal marks are converted to the channel's notation. */
  readonly number: boolean;
  /** Whether the number is an amount of money. */
  readonly price: boolean;
  readonly list?: ListShape;
  /** The field in the channel's template. */
  readonly field?: ChannelField;
  /** What a mark before three digits means, according to the catalogue's column; absent if the value is not from one column. */
  readonly groups?: NumberGroups;
  /** Set if no item has a value. */
  readonly empty?: true;
};
/** `gone`: sources of rows that the items do not have, which leaves their values empty. */
export type Constructed = {
  readonly relation: Relation;
  readonly columns: readonly ExportColumn[];
  readonly gone: readonly SourcePart[];
};
