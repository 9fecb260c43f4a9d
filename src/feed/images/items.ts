import type { DuckDbSession } from '#platform/duckdb/duckdb.ts';
import { join, ownNumber, ownText, duck, statement, type Sql, type Statement } from '#platform/duckdb/sql.ts';
import { MOST_IMAGE_COLUMNS } from '#shared/diagnosis/schema.ts';
import type { ItemPlan } from '#feed/explain/past-plan.ts';
import { imageKinds } from './judge.ts';
import { cellText } from '#feed/stages/output/cells.ts';
import { listCell } from '#feed/stages/output/lists.ts';
import { demand } from '#feed/plan/demand.ts';
import { build } from '#feed/plan/build.ts';
import type { Masked } from '#feed/stages/validation/counts.ts';

/** A column of pictures; `addresses` is a list of texts over the run's file. */
export type ImageColumn = {
  readonly name: string;
  readonly title: string;
  readonly rowId: string;
  readonly addresses: Sql;
};

/** Returns the columns in which the channel takes pictures, and those beyond the most that one check handles. */
export function imageColumns({ plan, settings }: ItemPlan): { checked: ImageColumn[]; unchecked: ImageColumn[] } {
  if (!settings) return { checked: [], unchecked: [] };
  const { columns } = build(plan, demand(plan));
  const all = columns
    .filter(({ field }) => field?.type === 'image')
    .map((column) => {
      const addresses = column.list ? listCell(column) : duck`[${cellText(column, settings.format)}]`;
      return { name: column.name, title: column.field?.title ?? column.name, rowId: column.rowId, addresses };
    });
  return { checked: all.slice(0, MOST_IMAGE_COLUMNS), unchecked: all.slice(MOST_IMAGE_COLUMNS) };
}

/** A temporary table of all web addresses: `row` in the file, index of the column, the address and its hash. */
export function imagesTable({ from }: Masked, columns: readonly ImageColumn[]): Statement {
  const none = duck`SELECT 0 AS r, 0 AS field, '' AS u WHERE FALSE`;
  const parts = columns.map(
    ({ addresses }, index) =>
      duck`SELECT file_row_number AS r, ${ownNumber(index)} AS field, unnest(${addresses}) AS u FROM ${from}`,
  );
  const all = join([none, ...parts], duck` UNION ALL `);
  return statement(
    duck`CREATE OR REPLACE TEMP TABLE images AS SELECT r, field, trim(u) AS u, md5(trim(u)) AS h FROM (${all})
      WHERE u IS NOT NULL AND regexp_matches(trim(u), '^(?i)https?://')`,
  );
}

/** Turns a list of our own texts into rows of one column; bound as a single value, however many they are. */
const listed = (hashes: readonly string[]): Sql =>
  duck`(SELECT unnest(from_json(CAST(${JSON.stringify(hashes)} AS JSON), '["VARCHAR"]')))`;

/** Addresses that are not among the known ones, in the order of the file. */
export async function unseen(
  session: DuckDbSession,
  known: readonly string[],
  most: number,
  signal: AbortSignal,
): Promise<string[]> {
  const rows = await session.all(
    statement(
      duck`SELECT any_value(u) AS u FROM images WHERE h NOT IN ${listed(known)} GROUP BY h ORDER BY min(r) LIMIT ${ownNumber(most)}`,
    ),
    signal,
  );
  return rows.map((row) => String(row['u']));
}

/** Counts the different addresses, and those of them that were never checked. */
export async function neverLooked(
  session: DuckDbSession,
  known: readonly string[],
  signal: AbortSignal,
): Promise<{ addresses: number; open: number }> {
  const [row] = await session.all(
    statement(
      duck`SELECT count(DISTINCT h) AS addresses, count(DISTINCT h) FILTER (h NOT IN ${listed(known)}) AS open FROM images`,
    ),
    signal,
  );
  return { addresses: Number(row?.['addresses'] ?? 0), open: Number(row?.['open'] ?? 0) };
}

/** Writes the rows with faulty pictures: a bit for each column and kind of fault. */
export function wrongRows(judged: readonly { hash: string; bits: number }[], target: string): Sql {
  const list = JSON.stringify(judged.map(({ hash, bits }) => ({ h: hash, b: bits })));
  const wrong = duck`(SELECT unnest(from_json(CAST(${list} AS JSON), '[{"h":"VARCHAR","b":"UBIGINT"}]'), recursive := true))`;
  const width = ownNumber(imageKinds.length);
  return duck`COPY (SELECT r AS row, bit_or(CAST(w.b AS UBIGINT) << CAST(field * ${width} AS UBIGINT)) AS bits
    FROM images JOIN ${wrong} AS w ON w.h = images.h GROUP BY r ORDER BY r) TO ${ownText(target)} (FORMAT parquet)`;
}
