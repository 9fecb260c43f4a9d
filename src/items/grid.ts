import type { Duck, Statement } from '#platform/duck.ts';
import { KontorError } from '#platform/errors.ts';
import { ItemFilters, type ItemFilter } from '#shared/items.ts';
import { numberSort } from './number-sort.ts';
import type { SnapshotRecord } from './snapshots.ts';

/** Which items of a snapshot, in which order. Field ids are checked against the snapshot before they become SQL. */
export type Selection = {
  search?: string | undefined;
  filters: readonly ItemFilter[];
  sort?: { field: string; descending: boolean } | undefined;
};

export type Page = { rows: Record<string, string | null>[]; total: number };

/** Reads the query of a grid call; unknown fields and unreadable filters are told in German. */
export function readSelection(
  query: { search?: string | undefined; filter?: string | undefined; sort?: string | undefined; direction: 'asc' | 'desc' },
  snapshot: SnapshotRecord,
): Selection {
  const known = new Set(['_id', ...snapshot.fields.map((field) => field.id)]);
  const filters = query.filter === undefined || query.filter === '' ? [] : parseFilters(query.filter);
  for (const field of [...filters.map((filter) => filter.field), ...(query.sort === undefined ? [] : [query.sort])]) {
    if (!known.has(field)) {
      throw new KontorError(422, 'unknown_field', 'Das Feld der Sortierung oder des Filters gibt es in diesem Katalog nicht (mehr).');
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
    throw new KontorError(422, 'filter_unreadable', 'Der Filter ist nicht lesbar. Bitte die Seite ohne Filter neu öffnen.', { cause: error });
  }
}

/**
 * One page of items. The sort and filter columns alone decide which rows are shown, only then are the rows themselves
 * read: a column store pays for every column it touches (measured: 78 against 778 ms of 1M x 60, docs/decisions/0003).
 */
export async function readPage(
  duck: Duck,
  source: { path: string; snapshot: SnapshotRecord },
  selection: Selection,
  window: { offset: number; limit: number },
  signal?: AbortSignal,
): Promise<Page> {
  const { snapshot } = source;
  const whole = selection.filters.length === 0 && selection.search === undefined;
  if (whole && selection.sort === undefined) {
    const first = Math.min(window.offset, snapshot.items);
    const last = Math.min(window.offset + window.limit, snapshot.items) - 1;
    const rows = last < first ? [] : await duck.all(rowsBetween(source.path, snapshot, first, last), signal);
    return { rows: rows.map(textRow), total: snapshot.items };
  }
  const hits = await duck.all(rowNumbers(source.path, snapshot, selection, window), signal);
  const total = whole ? snapshot.items : await countOf(duck, source.path, snapshot, selection, hits.length, window, signal);
  const numbers = hits.map((hit) => Number(hit['r']));
  if (numbers.length === 0) return { rows: [], total };
  const rows = await duck.all(rowsAt(source.path, snapshot, numbers), signal);
  const byNumber = new Map(rows.map((row) => [Number(row['_r']), textRow(row)]));
  return { rows: numbers.flatMap((number) => byNumber.get(number) ?? []), total };
}

/** A first page that is not full has counted itself. */
async function countOf(
  duck: Duck,
  path: string,
  snapshot: SnapshotRecord,
  selection: Selection,
  found: number,
  window: { offset: number; limit: number },
  signal?: AbortSignal,
): Promise<number> {
  if (window.offset === 0 && found < window.limit) return found;
  const { sql, values } = whereOf(snapshot, selection, [path]);
  const rows = await duck.all({ sql: `select count(*)::int as n from read_parquet($1)${sql}`, values }, signal);
  return Number(rows[0]?.['n'] ?? 0);
}

/** The row numbers of one page, in its order. */
export function rowNumbers(path: string, snapshot: SnapshotRecord, selection: Selection, window: { offset: number; limit: number }): Statement {
  const where = whereOf(snapshot, selection, [path]);
  const order = selection.sort === undefined ? '' : ` order by ${orderOf(snapshot, selection.sort)}`;
  return {
    sql: `select file_row_number as r from read_parquet($1, file_row_number = true)${where.sql}${order} limit ${window.limit} offset ${window.offset}`,
    values: where.values,
  };
}

/** All selected items with the columns asked for, `_id` first, in the selection's order: for streaming. */
export function allRows(path: string, snapshot: SnapshotRecord, selection: Selection, columns: readonly string[]): Statement {
  const where = whereOf(snapshot, selection, [path]);
  const order = selection.sort === undefined ? '' : ` order by ${orderOf(snapshot, selection.sort)}`;
  return { sql: `select ${['_id', ...columns].join(', ')} from read_parquet($1, file_row_number = true)${where.sql}${order}`, values: where.values };
}

const columnsOf = (snapshot: SnapshotRecord) => ['_id', ...snapshot.fields.map((field) => field.id)].join(', ');

function rowsBetween(path: string, snapshot: SnapshotRecord, first: number, last: number): Statement {
  return {
    sql: `select ${columnsOf(snapshot)} from read_parquet($1, file_row_number = true) where file_row_number between ${first} and ${last} order by file_row_number`,
    values: [path],
  };
}

/** Numbers are our own integers, so they may stand in the text. */
export function rowsAt(path: string, snapshot: SnapshotRecord, numbers: readonly number[]): Statement {
  return {
    sql: `select file_row_number as _r, ${columnsOf(snapshot)} from read_parquet($1, file_row_number = true) where file_row_number in (${numbers.map(Math.trunc).join(', ')})`,
    values: [path],
  };
}

function orderOf(snapshot: SnapshotRecord, sort: { field: string; descending: boolean }): string {
  const guess = snapshot.fields.find((field) => field.id === sort.field)?.guess;
  const direction = sort.descending ? 'desc' : 'asc';
  const numeric = guess === 'number' || guess === 'price' || guess === 'integer';
  const first = numeric ? numberSort(sort.field) : `lower(${sort.field})`;
  return `${first} ${direction} nulls last, file_row_number`;
}

function whereOf(snapshot: SnapshotRecord, selection: Selection, values: string[]): { sql: string; values: string[] } {
  const conditions: string[] = [];
  if (selection.search !== undefined) {
    values.push(selection.search);
    const all = columnsOf(snapshot).split(', ');
    conditions.push(`(${all.map((column) => `contains(lower(${column}), lower($${values.length}))`).join(' or ')})`);
  }
  for (const filter of selection.filters) conditions.push(conditionOf(filter, values));
  return { sql: conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`, values };
}

function conditionOf({ field, mode, value }: ItemFilter, values: string[]): string {
  if (mode === 'is_empty') return `coalesce(trim(${field}), '') = ''`;
  if (mode === 'is_not_empty') return `coalesce(trim(${field}), '') <> ''`;
  values.push(value);
  const operand = `lower($${values.length})`;
  return mode === 'contains' ? `contains(lower(${field}), ${operand})` : `lower(${field}) = ${operand}`;
}

export function textRow(row: Record<string, unknown>): Record<string, string | null> {
  const text: Record<string, string | null> = Object.create(null);
  for (const [name, value] of Object.entries(row)) {
    if (name !== '_r') text[name] = value === null || value === undefined ? null : String(value);
  }
  return text;
}

/** One item by its number, with the numbers before and after it; undefined if there is none. */
export async function readItem(
  duck: Duck,
  source: { path: string; snapshot: SnapshotRecord },
  itemId: string,
): Promise<{ row: Record<string, string | null>; previous: string | null; next: string | null } | undefined> {
  const found = await duck.all({ sql: 'select file_row_number as r from read_parquet($1, file_row_number = true) where _id = $2', values: [source.path, itemId] });
  if (found[0] === undefined) return undefined;
  const at = Number(found[0]['r']);
  const rows = await duck.all(rowsAt(source.path, source.snapshot, [at - 1, at, at + 1]));
  const row = (number: number) => rows.find((one) => Number(one['_r']) === number);
  const id = (number: number) => {
    const value = row(number)?.['_id'];
    return value === undefined ? null : String(value);
  };
  const own = row(at);
  return own && { row: textRow(own), previous: id(at - 1), next: id(at + 1) };
}
