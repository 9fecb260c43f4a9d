import { join } from 'node:path';
import { z } from 'zod';
import { storagePathsIn } from '#catalogue/storage-paths.ts';
import { Vault } from '#platform/crypto/vault.ts';
import { openServer } from '#platform/db/database.ts';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { randomIds } from '#platform/ids.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import { archiveDecisions } from '#repricer/archive/archive-decisions.ts';
import { bucketStage } from '../bucket-stage.ts';

/** The input of one night of archiving; as JSON it is the only parameter of this program, which tests kill. */
export const ArchiveNight = z.object({
  databaseUrl: z.string(),
  access: z.object({
    endpoint: z.string(),
    accessKey: z.string(),
    secretKey: z.string(),
    region: z.string(),
    bucket: z.string(),
    prefix: z.string(),
  }),
  /** Data folder of a separate machine. */
  folder: z.string(),
  company: z.string(),
  now: z.number(),
  /** Most decisions per file. */
  most: z.number(),
});

if (process.argv[1] === import.meta.filename) {
  const night = ArchiveNight.parse(JSON.parse(process.argv[2] ?? ''));
  const database = openServer(night.databaseUrl, () => {});
  const folder = join(night.folder, 'items');
  const patience = { connectMs: 2000, silentMs: 60_000, attempts: 3, pauseMs: 50 };
  const stage = await bucketStage(night.access, { database, folder, patience });
  const duckdb = await DuckDb.open({ folder }, (paths) => stage.store.hold(paths));
  const deps = {
    database,
    duckdb,
    storagePaths: storagePathsIn(folder, stage.store),
    vault: new Vault('test'),
    clock: { now: () => new Date(night.now) },
    ids: randomIds,
    log: makeLog('silent'),
    keptDays: { decisions: 90 },
  };
  const sizes = { most: night.most, least: 1 };
  const archived = await archiveDecisions(deps, night.company, new AbortController().signal, sizes);
  console.log(`archived ${archived}`);
  process.exit(0);
}
