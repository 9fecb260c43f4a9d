import { join, name, ownNumber, ownText, duck, type Sql } from '#platform/duckdb/sql.ts';
import type { ListShape, OutputColumn } from './cells.ts';
import { addressList, entryAddresses } from './image-addresses.ts';
import { filled, once } from '#engine/duckdb/once.ts';

/** Whether the file has a place for each value, so that no separator parts them. */
export const standsApart = (kind: string, list: ListShape): boolean =>
  kind === 'xml' || kind === 'json' || kind === 'jsonl' || list.repeat;

/**
 * A list's spelled entries: of those without names only the filled ones, moved up; those with names keep their places. NULL if
 * none is filled.
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
 * Entries in one text; named ones as `Name: Wert`. An entry that holds the separator could be taken for two: an address
 * has it percent-encoded, every other stands in double quotes, doubled inside, as in CSV. `apart`: the file itself keeps the
 * entries apart, the text is only shown.
 */
export function joinedText(entries: Sql, { list, field }: OutputColumn, apart: boolean): Sql {
  if (!list) return entries;
  const { keys, separator } = list;
  const known = keys?.map((key) => duck`CAST(${key} AS VARCHAR)`);
  const named = known
    ? duck`list_transform(list_zip(list_value(${join(known, duck`, `)}), ${entries}), lambda p: p[1] || ': ' || p[2])`
    : entries;
  const there = duck`list_filter(${named}, lambda e: e IS NOT NULL)`;
  const address = known === undefined && (field?.type === 'url' || field?.type === 'image');
  const parted =
    apart || separator === '' ? there : duck`list_transform(${there}, lambda e: ${safe(duck`e`, separator, address)})`;
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

/** The entry at a place (from 0) of a list. */
export const entryAt = (cell: Sql, index: number): Sql => duck`${cell}[${ownNumber(index + 1)}]`;

/** The entry of a list with names at a place as it stands in a cell of its own. */
export function namedEntry(cell: Sql, key: string, index: number): Sql {
  return duck`CAST(${`${key}: `} AS VARCHAR) || ${entryAt(cell, index)}`;
}

/** All texts of a list one after the other, to look for characters in them. */
export const allText = (cell: Sql): Sql => duck`array_to_string(${cell}, ${ownText('')})`;

/** A list's entries over the run's file, before they are spelled. */
export function listCell({ column, list }: Pick<OutputColumn, 'column' | 'list'>): Sql {
  if (list?.parted === undefined) return name(column);
  return list.parted === 'text' ? addressList(name(column)) : entryAddresses(name(column));
}

/** All texts of a cell of the run's file one after the other. */
export const cellLetters = ({ column, list }: Pick<OutputColumn, 'column' | 'list'>): Sql =>
  list && list.parted !== 'text' ? allText(name(column)) : name(column);
