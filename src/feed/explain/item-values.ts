import { groupedFields } from '#engine/duckdb/number-groups.ts';
import { ID, nextStep, ROW, type Relation } from '#engine/duckdb/relation.ts';
import type { SnapshotRecord } from '#catalogue/snapshots.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { join, name, ownNumber, duck, statement, storedFile } from '#platform/duckdb/sql.ts';

/** One item at some stage: all its fields at that point, in order, and its row number in the snapshot file. */
export type ItemValues = {
  readonly id: string;
  readonly row: number;
  readonly values: ReadonlyMap<string, string | null>;
  /** What a mark before three digits means in the catalogue's columns, which one item alone does not show. */
  readonly groups: Relation['groups'];
};

/** Finds an item of a snapshot file, as imported; undefined if the file does not contain it. */
export async function findItem(
  duckdb: DuckDb,
  { path, snapshot }: { path: string; snapshot: Pick<SnapshotRecord, 'fields'> },
  itemId: string,
  signal?: AbortSignal,
): Promise<ItemValues | undefined> {
  const row = await placeOf(duckdb, path, itemId, signal);
  if (row === undefined) return undefined;
  const columns = join(
    snapshot.fields.map(({ id }) => name(id)),
    duck`, `,
  );
  const chosen = snapshot.fields.length === 0 ? duck`1` : columns;
  const [found] = await duckdb.all(
    statement(
      duck`SELECT ${chosen} FROM read_parquet(${storedFile(path)}, file_row_number = true) WHERE file_row_number = ${ownNumber(row)}`,
    ),
    signal,
  );
  const values = new Map(snapshot.fields.map((field) => [field.name, textOf(found?.[field.id])]));
  return { id: itemId, row, values, groups: groupedFields(snapshot.fields) };
}

/** The item's row number in a file of items; undefined if it is not there. Reads one column. */
export async function placeOf(
  duckdb: DuckDb,
  path: string,
  itemId: string,
  signal?: AbortSignal,
): Promise<number | undefined> {
  const [found] = await duckdb.all(
    statement(
      duck`SELECT file_row_number AS r FROM read_parquet(${storedFile(path)}, file_row_number = true) WHERE _id = ${itemId}`,
    ),
    signal,
  );
  return found && Number(found['r']);
}

/** A relation of this item alone: it reads no file, so every rule processes one row instead of the catalogue. */
export function itemRelation({ id, row, values, groups }: ItemValues): Relation {
  const columns = new Map([...values.keys()].map((field, index) => [field, `i${index}`]));
  const cells = [...values.values()].map((text, index) => duck`CAST(${text} AS VARCHAR) AS ${name(`i${index}`)}`);
  const own = [duck`CAST(${id} AS VARCHAR) AS ${ID}`, duck`CAST(${ownNumber(row)} AS BIGINT) AS ${ROW}`];
  return nextStep(
    { steps: [], from: '', columns: new Map(), shuffled: false, ...(groups ? { groups } : {}) },
    duck`SELECT ${join([...own, ...cells], duck`, `)}`,
    columns,
  );
}

export const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
