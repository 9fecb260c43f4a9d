import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addNotification } from '#notifications/notifications.ts';
import { storagePathsIn } from '#catalogue/storage-paths.ts';
import { restoreBackup } from '#operations/backup/restore.ts';
import { writeBackup } from '#operations/backup/write-backup.ts';
import { folderPlace } from '#operations/file-places/folder-place.ts';
import { scheduleDeletion, deleteDueCompanies } from '#operations/company-data/deletion.ts';
import { pg } from '#platform/db/pg.ts';
import { openEmbedded } from '#platform/db/database.ts';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { randomIds } from '#platform/ids.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import { decisionHistory } from '#repricer/archive/decision-history.ts';
import { brokenSeal } from '#repricer/record/audit-hash-chain.ts';
import type { PriceWorld } from '../../stages/repricer/price-world.ts';
import {
  archiveFiles,
  archiveOld,
  archiveRows,
  countDecisions,
  tamper,
  DAY,
  never,
  sealedWorld,
} from '../../stages/repricer/archived-decisions.ts';

describe('archives of decisions', () => {
  let world: PriceWorld;
  beforeAll(async () => {
    world = await sealedWorld();
    await world.database.chooseRole();
    await archiveOld(world);
  });
  afterAll(() => world.close());

  it('are part of a backup, and after its restore no new decision reuses an archived number', async () => {
    const root = await mkdtemp(join(tmpdir(), 'kontor-archive-backup-'));
    const file = join(root, 'sicherung.tar');
    const itemsFolder = join(root, 'items');
    const databaseFolder = join(root, 'database');
    // As if nothing had been decided since.
    await tamper(world, `delete from price_decisions`);
    const what = { clock: world.clock, ids: randomIds, secret: 'x'.repeat(40), program: 'test' };
    await writeBackup({ database: world.database, itemsFolder: world.storagePaths.root, ...what }, file);
    await restoreBackup(file, {
      dataFolder: root,
      itemsFolder,
      databaseFolder,
      place: folderPlace(itemsFolder),
      openDatabase: () => openEmbedded(databaseFolder),
      migrations: new URL('../../../migrations', import.meta.url).pathname,
      now: world.clock.now(),
      log: makeLog('silent'),
    });
    const database = await openEmbedded(databaseFolder);
    const duckdb = await DuckDb.open({ folder: itemsFolder });
    const restored = { ...world.deps, database, duckdb, storagePaths: storagePathsIn(itemsFolder) };
    expect(await brokenSeal(restored, world.company, never, { most: 4 })).toEqual({ seals: 4, broken: undefined });
    expect(await decisionHistory(restored, world.place, 'A-8', { limit: 3 }, never)).toHaveLength(3);
    const { next } = await database.kysely
      .selectNoFrom(pg<number>`nextval(pg_get_serial_sequence('price_decisions', 'id'))`.as('next'))
      .executeTakeFirstOrThrow();
    const { sealed } = await world.inside((trx) =>
      trx
        .selectFrom('decision_seals')
        .select((eb) => eb.fn.max('to_id').as('sealed'))
        .executeTakeFirstOrThrow(),
    );
    expect(next).toBe(sealed + 1);
    duckdb.close();
    await database.close();
    await rm(root, { recursive: true, force: true });
  });

  it('are deleted with their company', async () => {
    const { company } = world;
    const now = world.clock.now();
    await world.inside((trx) => scheduleDeletion(trx, { company, id: 'L1', name: 'Firma', by: 'Frieda', now }));
    world.later(2 * DAY);
    const { store } = world.storagePaths;
    const folder = dirname((await archiveFiles(world))[0] ?? '');
    await deleteDueCompanies({
      ...world.deps,
      jobs: { cancel: async () => {} },
      stopDemoMarket: async () => {},
      adminEmail: undefined,
      addNotification,
    });
    expect(await store.sizeOf([folder])).toEqual({ files: 0, bytes: 0 });
    expect([await archiveRows(world), await countDecisions(world)]).toEqual([[], 0]);
    const record = await world.inside((trx) =>
      trx.selectFrom('deletion_records').selectAll().executeTakeFirstOrThrow(),
    );
    expect(JSON.parse(record.table_rows)).toMatchObject({ decision_archives: 2 });
    expect(record.file_count).toBeGreaterThan(1);
  });
});
