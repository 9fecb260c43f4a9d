import { z } from 'zod';
import { assign, countAssigned } from '#engine/duckdb/assign.ts';
import { column, ID, query, ROW, withSteps, type Relation } from '#engine/duckdb/relation.ts';
import type { Batches } from '#engine/duckdb/rule-batches.ts';
import { hidden, sourceKey, type SourceType } from '#engine/ir/source-key.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { join, name, ownNumber, duck, statement, type Sql } from '#platform/duckdb/sql.ts';
import { ASSIGNMENT_LIMITS, exportTableNames, type ExportTable } from '#shared/assignments/schema.ts';
import { ITEM_ID } from '#shared/rules/check.ts';
import { activeRows, assignRows, rowKeys, type TableRow } from '#feed/stages/assignments/rows.ts';
import { demand, masterDemand } from './demand.ts';
import { buildItems, buildMaster } from './build.ts';
import type { ExportPlan, MasterPlan } from './export-plan.ts';

/** The context in which rows run: a mapping at its position among the master's mappings, or a table of an export. */
export type TableContext =
  | { readonly kind: 'mapping'; readonly plan: MasterPlan; readonly mapping: string | undefined }
  | { readonly kind: 'table'; readonly plan: ExportPlan; readonly table: ExportTable };

/** The items as these rows read them, with the columns of the given keys (`sourceKey`). */
export function itemsAt(ref: TableContext, keys: ReadonlySet<string>): Batches {
  if (ref.kind === 'mapping') {
    const { plan, mapping } = ref;
    const at = plan.mappings.findIndex(({ id }) => id === mapping);
    const before = { ...plan, mappings: at === -1 ? plan.mappings : plan.mappings.slice(0, at) };
    return buildMaster(before, masterDemand(before, { live: keys, reads: keys }));
  }
  const { plan, table } = ref;
  const later = exportTableNames.slice(exportTableNames.indexOf(table));
  const tables = { ...plan.tables, ...Object.fromEntries(later.map((one) => [one, []])) };
  const before = { ...plan, tables };
  return buildItems(before, demand(before, { live: keys, reads: keys }));
}

export type RowCounts = { total: number; assigned: number; open: number; rows: Record<string, number> };

/** Counts the items that each row wins. Rows without a target win too, but assign nothing. Paused rows count 0. */
export async function countTable(
  duckdb: DuckDb,
  ref: TableContext,
  rows: readonly TableRow[],
  signal?: AbortSignal,
): Promise<RowCounts> {
  const active = activeRows(rows);
  const { statements, relation } = itemsAt(ref, new Set(rowKeys(active)));
  const counted = countAssigned(relation, assignRows(active));
  const body = counted.body(name(counted.relation.from));
  const answer = counted.read(await duckdb.last([...statements, query(counted.relation, body)], signal));
  const byRow = new Map(active.map((row, index) => [row.id, answer.rows[index] ?? 0]));
  const wonTotal = answer.rows.reduce((sum, count) => sum + count, 0);
  const assigned = active.reduce((sum, row, index) => sum + (row.target === '' ? 0 : (answer.rows[index] ?? 0)), 0);
  const total = wonTotal + answer.none;
  return {
    total,
    assigned,
    open: total - assigned,
    rows: Object.fromEntries(rows.map(({ id }) => [id, byRow.get(id) ?? 0])),
  };
}

export type FieldValue = { value: string; items: number };

/** The column of a key; the item number is not among the columns. */
function sourceColumn(relation: Relation, key: string): Sql {
  return key === ITEM_ID ? ID : column(relation, key);
}

/**
 * The values of a field with their number of items, most frequent first; values that rows treat as equal are merged. Values too
 * long for a row are only counted.
 */
export async function fieldValues(
  duckdb: DuckDb,
  ref: TableContext,
  source: { type: SourceType; value: string },
  limit: number,
  signal?: AbortSignal,
): Promise<{ values: FieldValue[]; tooLong: number }> {
  const key = sourceKey(source.type, source.value);
  const { statements, relation } = itemsAt(ref, new Set([key]));
  const select = shortValuesOf(sourceColumn(relation, key), name(relation.from), limit);
  const rows = await duckdb.last([...statements, query(relation, select)], signal);
  const read = rows.map((row) => ({ value: row['value'], items: Number(row['items']), long: Number(row['long']) }));
  const short = read.flatMap(({ value, items }) => (typeof value === 'string' ? [{ value, items }] : []));
  // DuckDB counts characters, a row UTF-16 units.
  const values = short.filter(({ value }) => value.length <= ASSIGNMENT_LIMITS.value);
  const tooLong = read.reduce((sum, { long }) => sum + long, 0) + short.length - values.length;
  return { values: values.slice(0, limit), tooLong };
}

/** The first row counts the values that are too long, if any: they are not returned, as each may have a megabyte. */
function shortValuesOf(text: Sql, from: Sql, limit: number): Sql {
  const fits = duck`length(${text}) <= ${ownNumber(ASSIGNMENT_LIMITS.value)}`;
  return duck`SELECT mode(short) AS value, count(*) AS items, count(DISTINCT long) AS long FROM (
      SELECT CASE WHEN ${fits} THEN ${text} END AS short, CASE WHEN NOT (${fits}) THEN md5(lower(${text})) END AS long
      FROM ${from} WHERE ${text} IS NOT NULL)
    GROUP BY lower(short) ORDER BY value IS NULL DESC, items DESC, value LIMIT ${ownNumber(limit + 1)}`;
}

function valuesOf(text: Sql, from: Sql, limit: number): Sql {
  return duck`SELECT mode(${text}) AS value, count(*) AS items FROM ${from} WHERE ${text} IS NOT NULL GROUP BY lower(${text})
    ORDER BY items DESC, value LIMIT ${ownNumber(limit)}`;
}

export type OpenItemsRequest = {
  readonly rows: readonly TableRow[];
  /** Lists the items that this row wins instead of those without a target. */
  readonly row: string | undefined;
  readonly source: { readonly type: SourceType; readonly value: string };
  readonly title: string | undefined;
  /** Only items with this value. */
  readonly value: string | undefined;
  readonly offset: number;
  readonly limit: number;
};
export type OpenItems = {
  total: number;
  open: number;
  values: FieldValue[];
  items: { id: string; title: string | null; value: string | null }[];
  matching: number;
};

/** The most values in one answer. */
const VALUES = 500;
const TARGET = hidden('target');
/** The target given to every item that the requested row wins. */
const WON = 'won';

/** Lists the items that no row gives a target, or that one row wins: their number, their values of a field, a page in order. */
export async function openItems(
  duckdb: DuckDb,
  ref: TableContext,
  question: OpenItemsRequest,
  signal?: AbortSignal,
): Promise<OpenItems> {
  const { rows, source, title, value, offset, limit } = question;
  const key = sourceKey(source.type, source.value);
  const active = activeRows(rows);
  const keys = new Set([...rowKeys(active), key, ...(title === undefined ? [] : [title])]);
  const { statements, relation } = itemsAt(ref, keys);
  const assignment = assign(
    relation,
    assignRows(active).map(({ conditions, outputs }, index) => ({
      conditions,
      outputs: question.row === undefined ? outputs.slice(0, 1) : [active[index]?.id === question.row ? WON : ''],
    })),
    [TARGET],
  );
  const titled = title === undefined ? duck`CAST(NULL AS VARCHAR)` : column(assignment, title);
  const chosen = [
    ID,
    ROW,
    duck`${sourceColumn(assignment, key)} AS value`,
    duck`${titled} AS title`,
    duck`${column(assignment, TARGET)} AS target`,
  ];
  const all = withSteps(assignment, duck`SELECT ${join(chosen, duck`, `)} FROM ${name(assignment.from)}`);
  const [row = {}] = await duckdb.last(
    [
      ...statements,
      statement(duck`CREATE OR REPLACE TEMP TABLE all_items AS ${all}`),
      statement(
        openStatement({ value, offset, limit }, question.row === undefined ? duck`IS NULL` : duck`IS NOT NULL`),
      ),
    ],
    signal,
  );
  return OpenRow.parse(row);
}

/** One row with all counts and lists of the stored items. */
function openStatement(
  { value, offset, limit }: Pick<OpenItemsRequest, 'value' | 'offset' | 'limit'>,
  state: Sql,
): Sql {
  const unassigned = duck`(SELECT * FROM all_items WHERE target ${state})`;
  const holdsValue = value === undefined ? duck`TRUE` : duck`lower(value) = lower(${value})`;
  const page = duck`SELECT id, title, value FROM ${unassigned} WHERE ${holdsValue} ORDER BY row LIMIT ${ownNumber(limit)} OFFSET ${ownNumber(offset)}`;
  const list = (entry: Sql, from: Sql) => duck`coalesce((SELECT list(${entry}) FROM (${from})), [])`;
  return duck`SELECT (SELECT count(*) FROM all_items) AS total, (SELECT count(*) FROM ${unassigned}) AS open,
    (SELECT count(*) FROM ${unassigned} WHERE ${holdsValue}) AS matching,
    ${list(duck`{'value': value, 'items': items}`, valuesOf(duck`value`, unassigned, VALUES))} AS values,
    ${list(duck`{'id': id, 'title': title, 'value': value}`, page)} AS items`;
}

const count = z.union([z.bigint(), z.number()]).transform(Number);
const OpenRow = z.object({
  total: count,
  open: count,
  matching: count,
  values: z.array(z.object({ value: z.string(), items: count })),
  items: z.array(z.object({ id: z.string(), title: z.string().nullable(), value: z.string().nullable() })),
});
