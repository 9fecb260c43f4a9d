import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { storagePathsIn, type StoragePaths } from '#catalogue/storage-paths.ts';
import type { Database } from '#platform/db/database.ts';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { useFile } from '#platform/storage/store.ts';
import { rowsBelow } from '#platform/storage/stored-rows.ts';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import type { ObjectStore } from '../../test/servers/object-store.ts';
import { accessTo, bucketStage } from '../../test/stages/bucket-stage.ts';
import { priceRecord } from '../../test/stages/repricer/price-chaos.ts';
import type { Firm } from '../long-run/firms.ts';

type ClusterStores = { database: Database; duckdb: DuckDb; storagePaths: StoragePaths };

/**
 * Returns a sentence for each violated invariant that can be checked at the end: complete snapshots, each made once (I2, I6); the
 * file of every feed is an accepted one (I3); prices within the bounds of an earlier decision (I4, I9); no access to other
 * companies (I7); every row accounted for (I8); and no file lost.
 */
export async function clusterFaults(
  firms: readonly Firm[],
  { database, store, bucket, folder }: { database: Database; store: ObjectStore; bucket: string; folder: string },
  say: (line: string) => void,
): Promise<string[]> {
  const stage = await bucketStage(accessTo(store, bucket), { database, folder, cacheBytes: 1e9 });
  const duckdb = await DuckDb.open({ folder, memoryLimit: '500MB' });
  const looked = { database, duckdb, storagePaths: storagePathsIn(folder, stage.store) };
  const found: string[] = [];
  let [orphans, files] = [0, 0];
  try {
    for (const [index, firm] of firms.entries()) {
      const company = (await firm.client.ask(api.session)).company.id;
      const masters = [firm.masterid, ...(firm.sales ? [firm.sales.masterid] : [])];
      const faults = [
        ...(await feedFault(looked, company, firm)),
        ...(await foreignFaults(firm, firms[(index + 1) % firms.length])),
        ...(await priceFaults(looked, company, firm)),
      ];
      for (const masterid of masters) faults.push(...(await masterFaults(looked, company, masterid, firm)));
      const tidied = await stage.store.tidy(company, new Date(Date.now() + 60_000));
      faults.push(...tidied.lost.map((path) => `im Dateispeicher verloren: ${path}`));
      orphans += tidied.removed;
      files += (await stage.store.sizeOf([join(folder, company)])).files;
      found.push(...faults.map((fault) => `${firm.name}: ${fault}`));
    }
  } finally {
    duckdb.close();
    await stage.close();
  }
  say(`Dateispeicher: ${files} Dateien, ${orphans} Objekte abgebrochener Versuche, die nachts gingen`);
  return found;
}

/** I2, I6, I8. */
async function masterFaults(
  { duckdb, storagePaths }: ClusterStores,
  company: string,
  masterid: string,
  { client }: Firm,
): Promise<string[]> {
  const found: string[] = [];
  const snapshots = await client.ask(api.snapshots, { masterid });
  const runs = (await client.ask(api.masterRuns, { masterid })).filter(({ state }) => state === 'done');
  const made = runs.flatMap(({ snapshot }) => snapshot ?? []);
  const numbers = snapshots.map(({ number }) => number);
  if (new Set(made).size < made.length) found.push(`ein Stand wurde zweimal gemacht: ${made.join(' ')}`);
  const gone = made.filter((number) => !numbers.includes(number));
  if (gone.length > 0) found.push(`Stände fehlen: ${gone.join(' ')}`);
  const { items } = await client.ask(api.master, { masterid });
  if (!snapshots.some((one) => one.items === items)) found.push(`${items} Artikel hat kein Stand`);
  for (const { number, items: count } of snapshots) {
    const path = storagePaths.snapshot(company, masterid, number);
    const [row] = await useFile(storagePaths.store, path, (local) =>
      duckdb.all({
        sql: 'select count(*)::int as n, count(distinct _id)::int as ids from read_parquet($1)',
        values: [local],
      }),
    );
    if (row?.['n'] !== count || row['ids'] !== count)
      found.push(`Stand ${number} hat ${String(row?.['n'])} Artikel statt ${count}`);
  }
  for (const { runid, rowsIn, accepted, rejected, duplicates } of runs)
    if (rowsIn !== (accepted ?? 0) + (rejected ?? 0) + (duplicates ?? 0))
      found.push(`Import ${runid}: von ${rowsIn} Zeilen ${accepted} + ${rejected} + ${duplicates}`);
  return found;
}

/** I3: the feed is byte for byte the newest file that a run made. */
async function feedFault({ database }: ClusterStores, company: string, firm: Firm): Promise<string[]> {
  const answer = await firm.client.raw(firm.pullPath, { headers: { 'accept-encoding': 'identity' } });
  const hash = createHash('sha256').update(Buffer.from(await answer.arrayBuffer()));
  const rows = await rowsBelow(database, `${company}/${firm.exportid}/runs`);
  const sha256 = hash.digest('hex');
  return rows.some((row) => row.sha256 === sha256) ? [] : [`der Feed (${answer.status}) ist keine ausgegebene Datei`];
}

/** I7 */
async function foreignFaults({ client }: Firm, other: Firm | undefined): Promise<string[]> {
  if (other === undefined) return [];
  const paths = [
    pathOf(api.master, { masterid: other.masterid }),
    pathOf(api.export, { id: other.exportid }),
    pathOf(api.masterRuns, { masterid: other.masterid }),
  ];
  const answers = await Promise.all(paths.map(async (path) => ({ path, status: (await client.raw(path)).status })));
  return answers
    .filter(({ status }) => status !== 404)
    .map(({ path, status }) => `sieht ${path} von ${other.name}: ${status}`);
}

/** I4, I9, and no price at the marketplace without a record here. */
async function priceFaults({ database }: ClusterStores, company: string, { sales }: Firm): Promise<string[]> {
  if (sales === undefined) return [];
  const record = await database.company(company, (trx) => priceRecord(trx, sales.sandbox, 0));
  const { outside, withoutDecision, unexplained, unresolved } = record;
  const wrong = { outside, withoutDecision, unexplained, unresolved };
  return Object.entries(wrong)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `Preise ${name}: ${count}`);
}
