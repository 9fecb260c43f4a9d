import { inOrder, withSteps } from '#engine/duckdb/relation.ts';
import type { Duck } from '#platform/duckdb/duckdb.ts';
import { join, name, ownText, sql, statement } from '#platform/duckdb/sql.ts';
import { findProblems, leaveOutInvalid, type CheckedItems, type FoundInRun } from '#feed/plan/validated-items.ts';

type Run = { constructed: CheckedItems; temporary: (ending: string) => string; made: string[]; signal: AbortSignal };

/** The items with their problems, and without those that have errors where the export is to leave them out. */
export async function writeItems(
  duck: Duck,
  { constructed, temporary, made, signal }: Run,
  omitInvalid: boolean,
): Promise<{ items: number; omitted: number; found: FoundInRun | undefined }> {
  const written = await writeRun(duck, constructed, temporary('parquet'), signal);
  const found = await findProblems(duck, constructed, temporary, signal);
  made.push(...(found?.made ?? []));
  if (!found || !omitInvalid || found.record.readiness.errors === 0) return { items: written, omitted: 0, found };
  const { items, ...kept } = await leaveOutInvalid(duck, found, temporary, signal);
  made.push(...kept.made.filter((file) => !made.includes(file)));
  return { items, omitted: written - items, found: kept };
}

/** The run's file: the export's columns, a hash of them, and the masks of the problems. */
export async function writeRun(
  duck: Duck,
  { statements, relation, columns, masks }: CheckedItems,
  target: string,
  signal?: AbortSignal,
): Promise<number> {
  const values = columns.map((column) => name(column.column));
  const hash = values.length === 0 ? sql`0::UBIGINT` : sql`hash(${join(values, sql`, `)})`;
  const chosen = join([sql`id AS _id`, ...values, sql`${hash} AS _hash`, ...masks.map(name)], sql`, `);
  const body = sql`SELECT ${chosen} FROM ${name(relation.from)}${inOrder(relation)}`;
  const copy = sql`COPY (${withSteps(relation, body)}) TO ${ownText(target)} (FORMAT parquet, COMPRESSION zstd)`;
  const [written] = await duck.last([...statements, statement(copy)], signal);
  return Number(written?.['Count'] ?? 0);
}
