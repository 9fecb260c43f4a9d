import { inOrder, withSteps } from '#engine/duckdb/relation.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { PARQUET } from '#platform/duckdb/parquet.ts';
import { join, name, ownText, duck, statement } from '#platform/duckdb/sql.ts';
import {
  findProblems,
  type FoundInRun,
  leaveOutInvalid,
  searchFiles,
  type ValidatedItems,
} from '#feed/plan/validated-items.ts';

type Run = { constructed: ValidatedItems; temporary: (ending: string) => string; made: string[]; signal: AbortSignal };

/** Writes the items, finds their problems, and removes items with errors if the export omits them; `write` writes all items. */
export async function writeItems(
  duckdb: DuckDb,
  { constructed, temporary, made, signal }: Run,
  omitInvalid: boolean,
  write: (target: string) => Promise<number> = (target) => writeRun(duckdb, constructed, target, signal),
): Promise<{ items: number; omitted: number; found: FoundInRun | undefined }> {
  const written = await write(temporary('parquet'));
  try {
    const found = await findProblems(duckdb, constructed, temporary, signal);
    made.push(...(found?.made ?? []));
    if (!found || !omitInvalid || found.record.readiness.errors === 0) return { items: written, omitted: 0, found };
    const { items, ...remaining } = await leaveOutInvalid(duckdb, found, temporary, signal);
    made.push(...remaining.made.filter((file) => !made.includes(file)));
    return { items, omitted: written - items, found: remaining };
  } catch (error) {
    // The caller removes the files of a run that failed.
    made.push(...searchFiles.map(temporary));
    throw error;
  }
}

/** Writes the run's file: the export's columns, a hash of them, and the problem masks. Returns the number of items. */
export async function writeRun(
  duckdb: DuckDb,
  { statements, relation, columns, masks }: ValidatedItems,
  target: string,
  signal?: AbortSignal,
): Promise<number> {
  const values = columns.map((column) => name(column.column));
  const hash = values.length === 0 ? duck`0::UBIGINT` : duck`hash(${join(values, duck`, `)})`;
  const chosen = join([duck`id AS _id`, ...values, duck`${hash} AS _hash`, ...masks.map(name)], duck`, `);
  const body = duck`SELECT ${chosen} FROM ${name(relation.from)}${inOrder(relation)}`;
  const copy = duck`COPY (${withSteps(relation, body)}) TO ${ownText(target)} ${PARQUET}`;
  const [written] = await duckdb.last([...statements, statement(copy)], signal);
  return Number(written?.['Count'] ?? 0);
}
