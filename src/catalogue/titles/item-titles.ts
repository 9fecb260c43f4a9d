import type { Database } from '#platform/db/database.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { boundTexts, duck, name, statement, storedFile } from '#platform/duckdb/sql.ts';
import type { CatalogueRef } from '#catalogue/catalogue-ref.ts';
import { liveSnapshot } from '#catalogue/snapshots.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { titleField } from './title-field.ts';

export type TitleDeps = { database: Database; duckdb: DuckDb; storagePaths: StoragePaths };

/** Longest title in characters: more than any channel accepts, and hundreds of titles fit into one answer. */
const LONGEST = 500;

/** Returns the titles of some items as imported, by item number; items without a title are left out. */
export async function itemTitles(
  { database, duckdb, storagePaths }: TitleDeps,
  { company, masterid }: CatalogueRef,
  items: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (items.length === 0) return new Map();
  const snapshot = await database.company(company, (trx) => liveSnapshot(trx, company, masterid));
  const title = titleField(snapshot?.fields ?? []);
  const column = snapshot?.fields.find((field) => field.name === title);
  if (snapshot === undefined || column === undefined) return new Map();
  const path = storedFile(storagePaths.snapshot(company, masterid, snapshot.number));
  // One list is planned several times faster than one parameter per item.
  const rows = await duckdb.all(
    statement(
      duck`SELECT _id, left(${name(column.id)}, ${LONGEST}) AS title FROM read_parquet(${path}) WHERE _id IN (SELECT unnest(${boundTexts(items)}))`,
    ),
  );
  return new Map(
    rows.flatMap(({ _id, title: text }) => (typeof text === 'string' && text !== '' ? [[String(_id), text]] : [])),
  );
}
