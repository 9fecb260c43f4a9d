import { filterCondition } from '#catalogue/item-conditions.ts';
import type { SnapshotRecord } from '#catalogue/snapshots.ts';
import { groupedFields, withoutThousandsMark } from '#engine/duckdb/number-groups.ts';
import { numberOf } from '#engine/duckdb/number.ts';
import { KontorError } from '#platform/errors.ts';
import { duck, join, name, ownNumber, type Sql, storedFile } from '#platform/duckdb/sql.ts';
import type { NumberGroups } from '#shared/import/schema.ts';
import { ItemFilters, type ItemFilter, MAX_LOADED_ITEMS, MAX_SORTED_LETTERS } from '#shared/items/schema.ts';

/** Selected items of a snapshot, and their order. Field ids are checked against the snapshot before they become SQL. */
export type Selection = {
  search?: string | undefined;
  filters: readonly ItemFilter[];
  sort?: { field: string; descending: boolean } | undefined;
};

/** Parses the query of a grid call. @throws a German error for unknown fields and unreadable filters */
export function readSelection(
  query: {
    search?: string | undefined;
    filter?: string | undefined;
    sort?: string | undefined;
    direction: 'asc' | 'desc';
  },
  snapshot: SnapshotRecord,
): Selection {
  const known = new Set(['_id', ...snapshot.fields.map((field) => field.id)]);
  const filters = query.filter === undefined || query.filter === '' ? [] : parseFilters(query.filter);
  for (const field of [...filters.map((filter) => filter.field), ...(query.sort === undefined ? [] : [query.sort])]) {
    if (!known.has(field)) {
      throw new KontorError(
        422,
        'unknown_field',
        'Das Feld der Sortierung oder des Filters gibt es in diesem Katalog nicht (mehr).',
      );
    }
  }
  return {
    filters,
    ...(query.search === undefined || query.search.trim() === '' ? {} : { search: query.search.trim() }),
    ...(query.sort === undefined ? {} : { sort: { field: query.sort, descending: query.direction === 'desc' } }),
  };
}

function parseFilters(text: string): ItemFilter[] {
  try {
    return ItemFilters.parse(JSON.parse(text));
  } catch (error) {
    throw new KontorError(
      422,
      'filter_unreadable',
      'Der Filter ist nicht lesbar. Bitte die Seite ohne Filter neu öffnen.',
      { cause: error },
    );
  }
}

export const columnNames = (snapshot: SnapshotRecord) => ['_id', ...snapshot.fields.map((field) => field.id)];

/**
 * Returns the sort value. Number columns sort by number, others in German dictionary order, which is also how a browser sorts the
 * items it has loaded. If there are more items than a browser loads, only case is ignored: dictionary keys take at least four
 * times as long.
 */
export function sortValue(snapshot: SnapshotRecord, { sort }: Selection): Sql | undefined {
  if (sort === undefined) return undefined;
  const guess = snapshot.fields.find((field) => field.id === sort.field)?.guess;
  const numeric = guess === 'number' || guess === 'price' || guess === 'integer';
  const column = name(sort.field);
  if (numeric) return numberOf(withoutThousandsMark(column, marksOf(snapshot, sort.field)));
  return snapshot.items > MAX_LOADED_ITEMS
    ? duck`lower(${column})`
    : duck`icu_sort_key(left(${column}, ${ownNumber(MAX_SORTED_LETTERS)}), 'de')`;
}

/** Returns what a separator before three digits means in a field, by its id; as in rules. */
export function marksOf({ fields }: Pick<SnapshotRecord, 'fields'>, fieldId: string): NumberGroups | undefined {
  const field = fields.find(({ id }) => id === fieldId);
  return field && groupedFields([field]).get(field.name);
}

/** Missing values come last in both directions; equal ones keep the order of the file. */
export function orderOf(snapshot: SnapshotRecord, selection: Selection): Sql {
  const value = sortValue(snapshot, selection);
  if (value === undefined) return duck``;
  return duck` ORDER BY ${value} ${selection.sort?.descending === true ? duck`DESC` : duck`ASC`} NULLS LAST, file_row_number`;
}

export function whereOf(path: string, snapshot: SnapshotRecord, selection: Pick<Selection, 'search' | 'filters'>): Sql {
  const condition = selectedItems(path, snapshot, selection);
  return condition === undefined ? duck`` : duck` WHERE ${condition}`;
}

/** Returns the condition for the selected items of a snapshot file; undefined if all are selected. */
export function selectedItems(
  path: string,
  snapshot: SnapshotRecord,
  { search, filters }: Pick<Selection, 'search' | 'filters'>,
): Sql | undefined {
  const all = duck`read_parquet(${storedFile(path)})`;
  const conditions = filters.map(
    (filter) => duck`(${filterCondition(filter, { all, groups: marksOf(snapshot, filter.field) })})`,
  );
  if (search !== undefined) {
    // Lower-cased by DuckDB like the items' texts: JavaScript makes two letters of 'İ'.
    const needle = duck`lower(${search})`;
    conditions.push(
      duck`(${join(
        columnNames(snapshot).map((column) => duck`contains(lower(${name(column)}), ${needle})`),
        duck` OR `,
      )})`,
    );
  }
  return conditions.length === 0 ? undefined : join(conditions, duck` AND `);
}
