import { isDeepStrictEqual } from 'node:util';
import type { Difference } from '#feed/difference/difference.ts';
import { isStock } from '#feed/difference/field-roles.ts';
import { groupedFields } from '#engine/duckdb/number-groups.ts';
import { nextStep, snapshotRelation } from '#engine/duckdb/relation.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { PARQUET } from '#platform/duckdb/parquet.ts';
import { join, name, ownText, duck, statement, type Sql, storedFile } from '#platform/duckdb/sql.ts';
import type { ExportColumn } from '#feed/stages/construction/columns.ts';
import type { OutputFormat } from '#shared/exports/schema.ts';
import { validatedItems, type ValidatedItems } from '#feed/plan/validated-items.ts';
import { demand } from '#feed/plan/demand.ts';
import type { ExportPlan } from '#feed/plan/export-plan.ts';
import { offeredRows } from '#feed/plan/offered-rows.ts';
import { chooseRows, isChosen } from './chosen-rows.ts';

/** If a greater share of the items changed, everything is computed, and checked as a whole. */
export const MOST_TOUCHED = 0.2;
/** From this share of the file's items on, changed values are checked for drifts: fewer cannot take a range off a channel. */
export const MANY_CHANGED = 0.02;

/** Rules that depend on other items: ranks, groups, the running number. A match in a user's text only costs time. */
const readsOtherItems = /"(is_in_highest|is_in_lowest|group)"|"value":"index"/;

/** Whether each item's values depend on that item alone, so that unchanged items need not be computed. */
export function isItemwise(
  plan: ExportPlan,
  { unique }: Pick<ValidatedItems, 'unique'>,
  omitInvalid: boolean,
): boolean {
  const { masterRules, exportRules, mappings, tables, construction, attributes } = plan;
  const words = JSON.stringify([masterRules, exportRules, mappings, tables, construction, attributes]);
  return !readsOtherItems.test(words) && !(omitInvalid && unique.length > 0);
}

/**
 * Whether rules treat an item that is equal in two snapshots equally: its columns have the same names, and their number notation,
 * which depends on all items of a snapshot, is the same.
 */
export function isReadAlike(before: Pick<ExportPlan, 'snapshot'>, after: Pick<ExportPlan, 'snapshot'>): boolean {
  const reading = ({ snapshot: { fields } }: Pick<ExportPlan, 'snapshot'>) => ({
    columns: new Map(fields.map((field) => [field.name, field.id])),
    groups: groupedFields(fields),
  });
  return isDeepStrictEqual(reading(before), reading(after));
}

/**
 * Writes the numbers of the items that differ between two snapshots of a catalogue, or between their stocks if these are read,
 * with their row in the later one (`place`; NULL if removed). Returns how many.
 */
export async function writeTouched(
  duckdb: DuckDb,
  { before, after }: { before: ExportPlan; after: ExportPlan },
  target: string,
  signal?: AbortSignal,
): Promise<number> {
  const items = ({ path }: ExportPlan) =>
    duck`(SELECT _id, _hash AS mark, file_row_number AS place FROM read_parquet(${storedFile(path)}, file_row_number = true))`;
  const stock = ({ offered }: ExportPlan) =>
    offered === undefined
      ? duck`(SELECT NULL::VARCHAR AS _id, NULL::VARCHAR AS mark WHERE FALSE)`
      : duck`(SELECT item AS _id, pieces AS mark FROM ${offeredRows(offered)})`;
  const unlike = (side: (plan: ExportPlan) => Sql, chosen: Sql) =>
    duck`SELECT ${chosen} FROM ${side(before)} b FULL JOIN ${side(after)} a ON a._id = b._id
    WHERE a.mark IS DISTINCT FROM b.mark`;
  const id = duck`coalesce(a._id, b._id) AS _id`;
  const ofItems = unlike(items, duck`${id}, a.place`);
  const ofStock = duck`SELECT s._id, i.place FROM (${unlike(stock, id)}) s LEFT JOIN ${items(after)} i ON i._id = s._id`;
  const either = demand(after).master.offered ? duck`${ofItems} UNION ${ofStock}` : ofItems;
  const [written] = await duckdb.all(statement(duck`COPY (${either}) TO ${ownText(target)} ${PARQUET}`), signal);
  return Number(written?.['Count'] ?? 0);
}

/** The items that `writeTouched` found, computed and checked like all items. */
export function touchedItems(plan: ExportPlan, touched: string, format: OutputFormat): ValidatedItems {
  const { path, snapshot } = plan;
  const read = snapshotRelation({ path, fields: snapshot.fields }, isChosen);
  // Materialised: otherwise the few rows of each row group would pass through all steps separately.
  const items = nextStep(read, duck`SELECT * FROM ${name(read.from)}`, read.columns, { kept: true });
  const constructed = validatedItems({ ...plan, items }, format);
  const places = duck`(SELECT place FROM read_parquet(${storedFile(touched)}))`;
  return { ...constructed, statements: [chooseRows(places, snapshot.items), ...constructed.statements] };
}

/** The stock column, if the export has one that is a plain number. */
export const stockColumn = (columns: readonly ExportColumn[]): ExportColumn | undefined =>
  columns.find(({ name: field, list, field: known }) => {
    const number = known === undefined || known.type === 'integer' || known.type === 'number';
    return isStock(field) && !list && number;
  });

/** The files for comparing two states: row hashes of both, values of the later one, and earlier values of the removed items. */
export type Compared = { readonly before: string; readonly after: string; readonly removed: string };

/**
 * Writes the new and changed items in their order, followed, if a stock column is given, by the removed ones with a stock of 0.
 * Returns how many it wrote.
 */
export async function writeChanges(
  duckdb: DuckDb,
  { before, after, removed }: Compared,
  { columns, zero, target }: { columns: readonly ExportColumn[]; zero: ExportColumn | undefined; target: string },
  signal?: AbortSignal,
): Promise<number> {
  const listOf = (value: (column: ExportColumn) => Sql) =>
    join([duck`n._id`, ...columns.map(value), duck`n._hash`, duck`n.file_row_number AS place`], duck`, `);
  const values = listOf(({ column }) => duck`n.${name(column)}`);
  const zeroed = listOf((column) =>
    column === zero ? duck`'0' AS ${name(column.column)}` : duck`n.${name(column.column)}`,
  );
  const rows = (path: string) => duck`read_parquet(${storedFile(path)}, file_row_number = true)`;
  const ids = (path: string) => duck`(SELECT _id, _hash FROM read_parquet(${storedFile(path)}))`;
  const changed = duck`SELECT ${values}, 0 AS part FROM ${rows(after)} n LEFT JOIN ${ids(before)} o ON o._id = n._id
    WHERE o._hash IS DISTINCT FROM n._hash`;
  const removedRows = duck`SELECT ${zeroed}, 1 AS part FROM ${rows(removed)} n ANTI JOIN ${ids(after)} o ON o._id = n._id`;
  const all = zero ? duck`${changed} UNION ALL ${removedRows}` : changed;
  const body = duck`SELECT * EXCLUDE (place, part) FROM (${all}) ORDER BY part, place`;
  const copy = duck`COPY (${body}) TO ${ownText(target)} ${PARQUET}`;
  const [written] = await duckdb.all(statement(copy), signal);
  return Number(written?.['Count'] ?? 0);
}

/** Writes the numbers of the items that are in the earlier of two files alone. */
export async function writeGone(
  duckdb: DuckDb,
  { before, after }: Pick<Compared, 'before' | 'after'>,
  target: string,
  signal?: AbortSignal,
): Promise<void> {
  const ids = (path: string) => duck`(SELECT _id FROM read_parquet(${storedFile(path)}))`;
  const removed = duck`SELECT b._id FROM ${ids(before)} b ANTI JOIN ${ids(after)} a ON a._id = b._id`;
  await duckdb.all(statement(duck`COPY (${removed}) TO ${ownText(target)} ${PARQUET}`), signal);
}

export const isNone = ({ removed, added, changed }: Difference): boolean => removed + added + changed === 0;
