import type { MaterialisedFieldSource, FieldSource } from '#catalogue/materialised-fields.ts';
import { snapshotAt, type SnapshotRecord } from '#catalogue/snapshots.ts';
import type { Database } from '#platform/db/database.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { boundTexts, join, name, duck, statement, storedFile } from '#platform/duckdb/sql.ts';
import { basisOf, limitsNow } from './pricing-inputs-version.ts';

/** Fields of items by item number, and the items that the master's rules exclude. Unknown items are in neither. */
export type ItemFields = {
  readonly fields: ReadonlyMap<string, Readonly<Record<string, string | null>>>;
  readonly excluded: ReadonlySet<string>;
};
export const noFields: ItemFields = { fields: new Map(), excluded: new Set() };

/** Returns fields of some items after the master's rules; unknown fields are left out. */
export async function itemFields(duckdb: DuckDb, source: FieldSource, items: readonly string[]): Promise<ItemFields> {
  if (items.length === 0) return noFields;
  const { path, columns, kept } = source;
  const selected = [...new Set(['_id', ...(kept === undefined ? [] : [kept]), ...columns.values()])].map(name);
  // One list is planned several times faster than a value for each item.
  const rows = await duckdb.all(
    statement(
      duck`SELECT ${join(selected, duck`, `)} FROM read_parquet(${storedFile(path)}) WHERE ${name('_id')} IN (SELECT unnest(${boundTexts(items)}))`,
    ),
  );
  const fields = new Map<string, Record<string, string | null>>();
  const excluded = new Set<string>();
  for (const row of rows) {
    const item = String(row['_id']);
    if (kept !== undefined && row[kept] !== true) excluded.add(item);
    else fields.set(item, Object.fromEntries([...columns].map(([field, column]) => [field, textOf(row[column])])));
  }
  return { fields, excluded };
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Returns the named fields of some items as of now; waits if they have to be computed first. */
export async function fieldsNow(
  deps: { database: Database; duckdb: DuckDb; fields: MaterialisedFieldSource },
  ref: { company: string; masterid: string },
  { items, names, signal }: { items: readonly string[]; names: ReadonlySet<string>; signal?: AbortSignal },
): Promise<ItemFields & { snapshot: SnapshotRecord | undefined }> {
  const { basis, snapshot } = await deps.database.company(ref.company, async (trx) => {
    const basis = basisOf(await limitsNow(trx, ref));
    return { basis: basis, snapshot: basis && (await snapshotAt(trx, ref.company, ref.masterid, basis.snapshot)) };
  });
  if (basis === undefined || items.length === 0) return { ...noFields, snapshot };
  const source = await deps.fields.wait(ref, basis, names, signal);
  return { ...(await itemFields(deps.duckdb, source, items)), snapshot };
}
