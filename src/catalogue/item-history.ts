import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import type { Database } from '#platform/db/database.ts';
import { notFound } from '#platform/errors.ts';
import { duck, statement, storedFile } from '#platform/duckdb/sql.ts';
import type { ItemHistory } from '#shared/items/schema.ts';
import { textRow } from './grid.ts';
import { activeMaster } from './masters.ts';
import { listSnapshots, type SnapshotRecord, snapshotAt } from './snapshots.ts';
import type { StoragePaths } from './storage-paths.ts';

type HistoryDeps = { database: Database; duckdb: DuckDb; storagePaths: StoragePaths };
type Values = ReadonlyMap<string, string>;

/** Most stored snapshots that are read: each is a file of its own. */
const MOST_STATES = 20;

/**
 * Returns what each import changed in an item, as far as snapshots are stored, newest first. Fields are matched by name, because
 * an import assigns new ids. Snapshots that were never live, or whose files were deleted, are left out. @throws 404 for an item
 * in none of them
 */
export async function itemHistory(
  { database, duckdb, storagePaths }: HistoryDeps,
  { company, masterid, itemId }: { company: string; masterid: string; itemId: string },
): Promise<ItemHistory> {
  const { states, more } = await database.company(company, async (trx) => {
    await activeMaster(trx, company, masterid);
    const available = (await listSnapshots(trx, company, masterid)).filter(({ gone, held }) => !gone && held === null);
    const wanted = available.slice(0, MOST_STATES);
    const records = await Promise.all(wanted.map(({ number }) => snapshotAt(trx, company, masterid, number)));
    return { states: records.filter((one) => one !== undefined), more: available.length > MOST_STATES };
  });
  const versions: { state: SnapshotRecord; values: Values | undefined }[] = [];
  // Oldest first; one after the other, because each reads a whole column.
  for (const state of states.toReversed())
    versions.push({ state, values: await valuesIn(duckdb, storagePaths, state, itemId) });
  if (versions.every(({ values }) => values === undefined)) throw notFound('Diesen Artikel');
  const entries = versions.flatMap(({ state, values }, index): ItemHistory['entries'] => {
    const before = index === 0 ? undefined : versions[index - 1];
    const entry = { snapshot: state.number, at: state.createdAt.toISOString(), source: state.source };
    if (before === undefined) return values === undefined ? [] : [{ ...entry, what: 'first', changes: [] }];
    if (values === undefined) return before.values === undefined ? [] : [{ ...entry, what: 'gone', changes: [] }];
    if (before.values === undefined) return [{ ...entry, what: 'new', changes: [] }];
    const changes = changesOf(before.values, values);
    return changes.length === 0 ? [] : [{ ...entry, what: 'changed', changes }];
  });
  return { entries: entries.toReversed(), states: versions.length, more };
}

async function valuesIn(
  duckdb: DuckDb,
  storagePaths: StoragePaths,
  { company, masterid, number, fields }: SnapshotRecord,
  itemId: string,
): Promise<Values | undefined> {
  const path = storagePaths.snapshot(company, masterid, number);
  const [found] = await duckdb.all(
    statement(duck`SELECT * FROM read_parquet(${storedFile(path)}) WHERE _id = ${itemId} LIMIT 1`),
  );
  if (found === undefined) return undefined;
  const row = textRow(found);
  return new Map(fields.map(({ id, name }) => [name, row[id] ?? '']));
}

/** A missing field and an empty one count as equal. */
function changesOf(before: Values, after: Values) {
  return [...new Set([...after.keys(), ...before.keys()])].flatMap((field) => {
    const [old, fresh] = [before.get(field) ?? '', after.get(field) ?? ''];
    return old === fresh ? [] : [{ field, before: old, after: fresh }];
  });
}
