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

/** A greater part of the items touched is no little change: then everything is computed, and checked as a whole. */
export const MOST_TOUCHED = 0.2;
/** The share of the file's items from which the values of those that changed are looked at: less takes no range off a channel, and most runs change less. */
export const MANY_CHANGED = 0.02;

/** What looks at other items: ranks, groups, the running number. A word of a user that reads the same only costs time. */
const readsOtherItems = /"(is_in_highest|is_in_lowest|group)"|"value":"index"/;

/** Whether each item's values follow from that item alone, so that the items that did not change need not be computed. */
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
 * Whether an item that is the same in two states of a catalogue is the same to rules: its columns are called as they were, and their
 * numbers mean what they meant, which all items of a state decide together.
 */
export function isReadAlike(before: Pick<ExportPlan, 'snapshot'>, after: Pick<ExportPlan, 'snapshot'>): boolean {
  const reading = ({ snapshot: { fields } }: Pick<ExportPlan, 'snapshot'>) => ({
    columns: new Map(fields.map((field) => [field.name, field.id])),
    groups: groupedFields(fields),
  });
  return isDeepStrictEqual(reading(before), reading(after));
}

/**
 * Writes the numbers of the items that two states of a catalogue, or of its stock where that is read, do not have alike, and where they
 * stand in the later one (`place`; none where they are gone). Gives how many.
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

/** The items of a plan that `writeTouched` found, computed and checked like all. */
export function touchedItems(plan: ExportPlan, touched: string, format: OutputFormat): ValidatedItems {
  const { path, snapshot } = plan;
  const read = snapshotRelation({ path, fields: snapshot.fields }, isChosen);
  // Kept, because the few of each part of the file would go through all steps by themselves.
  const items = nextStep(read, duck`SELECT * FROM ${name(read.from)}`, read.columns, { kept: true });
  const constructed = validatedItems({ ...plan, items }, format);
  const places = duck`(SELECT place FROM read_parquet(${storedFile(touched)}))`;
  return { ...constructed, statements: [chooseRows(places, snapshot.items), ...constructed.statements] };
}

/** The column of the stock, if the export has one that is a plain number. */
export const stockColumn = (columns: readonly ExportColumn[]): ExportColumn | undefined =>
  columns.find(({ name: field, list, field: known }) => {
    const number = known === undefined || known.type === 'integer' || known.type === 'number';
    return isStock(field) && !list && number;
  });

/** What tells two states apart: the rows' hashes of both, the values of the later, and of the earlier those of what is gone. */
export type Compared = { readonly before: string; readonly after: string; readonly removed: string };

/**
 * Writes the items that are new or changed, in their order, and behind them, if a column of the stock is given, those that are
 * gone with a stock of 0. Gives how many it wrote.
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
