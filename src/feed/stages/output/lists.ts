import { join, name, ownNumber, ownText, duck, type Sql } from '#platform/duckdb/sql.ts';
import type { ListShape, OutputColumn } from './cells.ts';
import { addressList, entryAddresses } from './image-addresses.ts';
import { filled, once } from '#engine/duckdb/once.ts';

/** Whether the file has a place for each value, so that no separator is needed. */
export const hasSeparateCells = (kind: string, list: ListShape): boolean =>
  kind === 'xml' || kind === 'json' || kind === 'jsonl' || list.repeat;

/**
 * A list's serialized entries: without names only the filled ones, moved up; with names each keeps its position. NULL if none is
 * filled.
 */
export function entriesOf(cell: Sql, { keys }: ListShape, serialize: ((text: Sql) => Sql) | undefined): Sql {
  const serialized = serialize ? duck`list_transform(${cell}, lambda e: ${serialize(duck`e`)})` : cell;
  if (keys !== null) return serialized;
  return once(
    duck`list_filter(${serialized}, lambda e: e IS NOT NULL)`,
    (list) => duck`CASE WHEN len(${list}) > 0 THEN ${list} END`,
  );
}

/**
 * The entries in one text; named ones as `Name: Wert`. An entry that contains the separator could be taken for two: in an address
 * the separator is percent-encoded, any other entry is put in double quotes, doubled inside, as in CSV. `apart`: the file itself
 * separates the entries, the text is only for display.
 */
export function joinedText(entries: Sql, { list, field }: OutputColumn, apart: boolean): Sql {
  if (!list) return entries;
  const { keys, separator } = list;
  const known = keys?.map((key) => duck`CAST(${key} AS VARCHAR)`);
  const named = known
    ? duck`list_transform(list_zip(list_value(${join(known, duck`, `)}), ${entries}), lambda p: p[1] || ': ' || p[2])`
    : entries;
  const present = duck`list_filter(${named}, lambda e: e IS NOT NULL)`;
  const address = known === undefined && (field?.type === 'url' || field?.type === 'image');
  const parted =
    apart || separator === ''
      ? present
      : duck`list_transform(${present}, lambda e: ${safe(duck`e`, separator, address)})`;
  return filled(duck`array_to_string(${parted}, ${separator})`);
}

function safe(entry: Sql, separator: string, address: boolean): Sql {
  const encoded = Array.from(Buffer.from(separator), (byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`);
  const percent = duck`replace(${entry}, ${separator}, ${encoded.join('')})`;
  if (address) return percent;
  return duck`CASE WHEN regexp_matches(${entry}, '^https?://') THEN ${percent}
    WHEN contains(${entry}, ${separator}) OR starts_with(${entry}, '"') THEN '"' || replace(${entry}, '"', '""') || '"'
    ELSE ${entry} END`;
}

/** The entry at an index (from 0) of a list. */
export const entryAt = (cell: Sql, index: number): Sql => duck`${cell}[${ownNumber(index + 1)}]`;

/** The named entry at an index of a list, as written in a cell of its own. */
export function namedEntry(cell: Sql, key: string, index: number): Sql {
  return duck`CAST(${`${key}: `} AS VARCHAR) || ${entryAt(cell, index)}`;
}

/** All texts of a list concatenated, to search for characters in them. */
export const allText = (cell: Sql): Sql => duck`array_to_string(${cell}, ${ownText('')})`;

/** A list's entries over the run's file, before serialization. */
export function listCell({ column, list }: Pick<OutputColumn, 'column' | 'list'>): Sql {
  if (list?.parted === undefined) return name(column);
  return list.parted === 'text' ? addressList(name(column)) : entryAddresses(name(column));
}

/** All texts of a cell of the run's file, concatenated. */
export const cellLetters = ({ column, list }: Pick<OutputColumn, 'column' | 'list'>): Sql =>
  list && list.parted !== 'text' ? allText(name(column)) : name(column);
