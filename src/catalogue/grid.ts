import type { DuckDb, Statement } from '#platform/duckdb/duckdb.ts';
import { join, name, ownNumber, duck, statement, type Sql, storedFile } from '#platform/duckdb/sql.ts';
import type { RowFiles } from './row-files/row-files.ts';
import { columnNames, orderOf, type Selection, sortValue, whereOf } from './selection/item-selection.ts';
import type { SnapshotRecord } from './snapshots.ts';

export type Page = { rows: Record<string, string | null>[]; total: number };

/**
 * Returns one page of items, with `_id` and the wanted fields (their ids). First only the sort and filter columns decide which
 * rows are shown, then those rows are read: a column store pays for every column it reads (measured: 78 against 778 ms of 1M x
 * 60, docs/decisions/0003).
 */
export async function readPage(
  duckdb: DuckDb,
  source: { path: string; snapshot: SnapshotRecord; wanted: readonly string[]; rowFiles: RowFiles },
  selection: Selection,
  window: { offset: number; limit: number },
  signal?: AbortSignal,
): Promise<Page> {
  const { snapshot } = source;
  const columns = [...new Set(['_id', ...source.wanted])];
  const unfiltered = selection.filters.length === 0 && selection.search === undefined;
  if (unfiltered && selection.sort === undefined) {
    const first = Math.min(window.offset, snapshot.items);
    const last = Math.min(window.offset + window.limit, snapshot.items) - 1;
    const rows = last < first ? [] : await duckdb.all(rowsBetween(source.path, columns, first, last), signal);
    return { rows: rows.map(textRow), total: snapshot.items };
  }
  const hits = await duckdb.all(rowNumbers(source.path, snapshot, selection, window), signal);
  const total = unfiltered
    ? snapshot.items
    : Number(hits[0]?.['n'] ?? (await countOf(duckdb, source.path, snapshot, selection, window, signal)));
  const numbers = hits.map((hit) => Number(hit['r']));
  if (numbers.length === 0) return { rows: [], total };
  const rows = await scatteredRows(duckdb, source, columns, numbers, signal);
  return { rows: numbers.map((number) => rows.get(number)).filter((row) => row !== undefined), total };
}

/**
 * Returns at least these columns of the rows at the given numbers, from the row file if there is one, otherwise from the
 * snapshot.
 */
async function scatteredRows(
  duckdb: DuckDb,
  { path, snapshot, rowFiles }: { path: string; snapshot: SnapshotRecord; rowFiles: RowFiles },
  columns: readonly string[],
  numbers: readonly number[],
  signal?: AbortSignal,
): Promise<Map<number, Record<string, string | null>>> {
  const rows = await rowFiles.rows({ path, columns: columnNames(snapshot), items: snapshot.items }, numbers);
  const others = numbers.filter((number) => !rows.has(number));
  if (others.length === 0) return rows;
  const read = await duckdb.all(rowsAt(path, columns, others), signal);
  for (const row of read) rows.set(Number(row['_r']), textRow(row));
  return rows;
}

/** Counts the items if a page has none: after a new import the page may be past the end. */
async function countOf(
  duckdb: DuckDb,
  path: string,
  snapshot: SnapshotRecord,
  selection: Selection,
  window: { offset: number; limit: number },
  signal?: AbortSignal,
): Promise<number> {
  if (window.offset === 0) return 0;
  const rows = await duckdb.all(
    statement(duck`SELECT count(*)::INT AS n FROM ${file(path)}${whereOf(path, snapshot, selection)}`),
    signal,
  );
  return Number(rows[0]?.['n'] ?? 0);
}

const file = (path: string): Sql => duck`read_parquet(${storedFile(path)}, file_row_number = true)`;
const list = (columns: readonly string[]): Sql =>
  join(
    columns.map((column) => name(column)),
    duck`, `,
  );

/**
 * Returns the row numbers `r` of one page, in its order, each with the number `n` of all selected items. The filter step keeps
 * row number and sort value of each hit, so that filtering, counting and sorting read the file once.
 */
export function rowNumbers(
  path: string,
  snapshot: SnapshotRecord,
  selection: Selection,
  window: { offset: number; limit: number },
): Statement {
  const cut = duck`LIMIT ${ownNumber(window.limit)} OFFSET ${ownNumber(window.offset)}`;
  const where = whereOf(path, snapshot, selection);
  if (where.pieces.length === 0) {
    return statement(duck`SELECT file_row_number AS r FROM ${file(path)}${orderOf(snapshot, selection)} ${cut}`);
  }
  const value = sortValue(snapshot, selection) ?? duck`NULL`;
  const direction = selection.sort?.descending === true ? duck`DESC` : duck`ASC`;
  return statement(duck`
    WITH hits AS MATERIALIZED (SELECT file_row_number AS r, ${value} AS v FROM ${file(path)}${where})
    SELECT r, (SELECT count(*)::INT FROM hits) AS n FROM hits ORDER BY v ${direction} NULLS LAST, r ${cut}`);
}

/** Returns all selected items with the requested columns, `_id` first, in the selection's order: for streaming. */
export function allRows(
  path: string,
  snapshot: SnapshotRecord,
  selection: Selection,
  columns: readonly string[],
): Statement {
  const where = whereOf(path, snapshot, selection);
  const inOrder = where.joins && selection.sort === undefined ? duck` ORDER BY file_row_number` : duck``;
  return statement(
    duck`SELECT ${list(['_id', ...columns])} FROM ${file(path)}${where}${orderOf(snapshot, selection)}${inOrder}`,
  );
}

function rowsBetween(path: string, columns: readonly string[], first: number, last: number): Statement {
  return statement(
    duck`SELECT ${list(columns)} FROM ${file(path)} WHERE file_row_number BETWEEN ${ownNumber(first)} AND ${ownNumber(last)} ORDER BY file_row_number`,
  );
}

/** Returns these columns of the rows at the given numbers, in no particular order; `_r` is the number. */
function rowsAt(path: string, columns: readonly string[], numbers: readonly number[]): Statement {
  const chosen = join(numbers.map(ownNumber), duck`, `);
  return statement(
    duck`SELECT file_row_number AS _r, ${list(columns)} FROM ${file(path)} WHERE file_row_number IN (${chosen})`,
  );
}

/** Returns the value of one field of some items, by item number; items without a value are left out. */
export async function readValues(
  duckdb: DuckDb,
  path: string,
  field: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const chosen = join(
    ids.map((one) => duck`${one}`),
    duck`, `,
  );
  const rows = await duckdb.all(
    statement(duck`SELECT _id, ${name(field)} AS value FROM ${file(path)} WHERE _id IN (${chosen})`),
    signal,
  );
  return new Map(
    rows.flatMap(({ _id: item, value }) => (typeof value === 'string' ? [[String(item), value] as const] : [])),
  );
}

export function textRow(row: Record<string, unknown>): Record<string, string | null> {
  const text: Record<string, string | null> = Object.create(null);
  for (const [name, value] of Object.entries(row)) {
    if (name !== '_r') text[name] = typeof value === 'string' ? value : null;
  }
  return text;
}

/** Returns one item by its number, with the item numbers before and after it in the selection; undefined if there is none. */
export async function readItem(
  duckdb: DuckDb,
  source: { path: string; snapshot: SnapshotRecord; rowFiles: RowFiles },
  itemId: string,
  selection: Selection,
  signal: AbortSignal,
): Promise<{ row: Record<string, string | null>; previous: string | null; next: string | null } | undefined> {
  const item = await readItemInFile(duckdb, source, itemId, signal);
  const unfiltered = selection.filters.length === 0 && selection.search === undefined && selection.sort === undefined;
  if (unfiltered || item === undefined) return item;
  const [around] = await duckdb.all(neighboursOf(source.path, source.snapshot, selection, itemId), signal);
  const id = (value: unknown) => (typeof value === 'string' ? value : null);
  return { row: item.row, previous: id(around?.['previous']), next: id(around?.['next']) };
}

/** Returns the items before and after an item within the selection; no row if the selection does not contain it. */
function neighboursOf(path: string, snapshot: SnapshotRecord, selection: Selection, itemId: string): Statement {
  const value = sortValue(snapshot, selection) ?? duck`NULL`;
  const direction = selection.sort?.descending === true ? duck`DESC` : duck`ASC`;
  return statement(duck`
    WITH hits AS (SELECT file_row_number AS r, _id, ${value} AS v FROM ${file(path)}${whereOf(path, snapshot, selection)}),
    placed AS (
      SELECT _id, lag(_id) OVER in_order AS previous, lead(_id) OVER in_order AS next
      FROM hits WINDOW in_order AS (ORDER BY v ${direction} NULLS LAST, r))
    SELECT previous, next FROM placed WHERE _id = ${itemId}`);
}

/** Returns one item by its number, with the item numbers before and after it in the file. */
async function readItemInFile(
  duckdb: DuckDb,
  source: { path: string; snapshot: SnapshotRecord; rowFiles: RowFiles },
  itemId: string,
  signal: AbortSignal,
): ReturnType<typeof readItem> {
  const found = await duckdb.all(
    statement(duck`SELECT file_row_number AS r FROM ${file(source.path)} WHERE _id = ${itemId}`),
    signal,
  );
  if (found[0] === undefined) return undefined;
  const at = Number(found[0]['r']);
  const around = [at - 1, at, at + 1].filter((number) => number >= 0 && number < source.snapshot.items);
  const rows = await scatteredRows(duckdb, source, columnNames(source.snapshot), around, signal);
  const id = (number: number) => rows.get(number)?.['_id'] ?? null;
  const own = rows.get(at);
  return own && { row: own, previous: id(at - 1), next: id(at + 1) };
}
