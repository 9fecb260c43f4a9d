import { liveSnapshot, type SnapshotRecord } from '#catalogue/snapshots.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { wholeNumbers } from '#catalogue/whole-numbers.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { MOST_PIECES } from './numbers.ts';
import type { StockPlace } from './compute.ts';

export type SourceDeps = { database: Database; duckdb: DuckDb; storagePaths: StoragePaths };
export type StockSource = { snapshot: SnapshotRecord; sourceAt: Date };
type Item = { item: string; on_hand: number; source: 'ok' | 'unreadable' | 'missing' };

/** Rows per statement, so that none takes long. */
const BATCH_SIZE = 20_000;

/**
 * Returns the live snapshot of a catalogue and the moment its stock was valid: when the run that made it began to fetch its file.
 */
export async function stockSource(trx: Trx, { company, master }: StockPlace): Promise<StockSource | undefined> {
  const snapshot = await liveSnapshot(trx, company, master);
  if (snapshot === undefined) return undefined;
  const job = await trx
    .selectFrom('jobs')
    .select(['created_at', 'started_at'])
    .where((eb) => eb.and({ company, id: snapshot.runid }))
    .executeTakeFirst();
  const began = job?.started_at ?? job?.created_at ?? snapshot.createdAt;
  return { snapshot, sourceAt: began < snapshot.createdAt ? began : snapshot.createdAt };
}

/** Returns the number of each item in the source; undefined if the source has no such field. */
export async function readSource(
  { duckdb, storagePaths }: SourceDeps,
  { snapshot }: StockSource,
  field: string,
): Promise<ReadonlyMap<string, number | null> | undefined> {
  const found = snapshot.fields.find(({ name }) => name === field);
  if (found === undefined) return undefined;
  const path = storagePaths.snapshot(snapshot.company, snapshot.masterid, snapshot.number);
  return wholeNumbers(duckdb, path, found, MOST_PIECES);
}

/** Stores the source's numbers that differ from those stored. An article missing in the source gets 0. */
export async function storeSource(
  trx: Trx,
  { company, master }: StockPlace,
  numbers: ReadonlyMap<string, number | null>,
): Promise<void> {
  const stored = await trx
    .selectFrom('stock_items')
    .select(['item', 'on_hand', 'source'])
    .where((eb) => eb.and({ company, master }))
    .execute();
  const before = new Map(stored.map((row) => [row.item, row]));
  const changed: Item[] = [];
  for (const [item, number] of numbers) {
    const next: Item = { item, on_hand: number ?? 0, source: number === null ? 'unreadable' : 'ok' };
    const was = before.get(item);
    if (was?.on_hand !== next.on_hand || was.source !== next.source) changed.push(next);
  }
  for (const { item, source } of stored)
    if (!numbers.has(item) && source !== 'missing') changed.push({ item, on_hand: 0, source: 'missing' });
  for (let start = 0; start < changed.length; start += BATCH_SIZE)
    await pg`insert into stock_items (company, master, item, on_hand, source)
      select ${company}, ${master}, r.item, r.on_hand, r.source
      from json_to_recordset(${JSON.stringify(changed.slice(start, start + BATCH_SIZE))}::json) as r(item text, on_hand int, source text)
      on conflict (company, master, item) do update set on_hand = excluded.on_hand, source = excluded.source,
        available = least(stock_items.available, excluded.on_hand)`.execute(trx);
}
