import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createCompany } from '#auth/auth.ts';
import { createMaster } from '#catalogue/masters.ts';
import { restoreBackup } from '#operations/backup/restore.ts';
import { writeBackup } from '#operations/backup/write-backup.ts';
import { askDeletion, callOff } from '#operations/company-data/deletion.ts';
import { folderPlace } from '#operations/file-places/folder-place.ts';
import { listTrash, restoreTrashed, trashMaster } from '#operations/trash/trash.ts';
import { type Database, openEmbedded } from '#platform/db/database.ts';
import { randomIds } from '#platform/ids.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import { migrations } from '../../src/deps.ts';
import { openTestDatabase } from '../stages/kontor.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const MADE = new Date('2026-03-10T08:00:00Z').getTime();
const before = (ms: number) => new Date(MADE - ms);

describe('a restore of what was to be deleted', () => {
  let folder: string;
  /** Ten days behind the backup. */
  const now = new Date(MADE + 10 * DAY);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-deletions-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** A company whose deletion was asked for so many hours before the backup, with a catalogue. */
  const made = async (source: Database, asked: number) => {
    const company = await createCompany(source, randomIds, { now: () => before(40 * DAY) }, 'Firma');
    await source.company(company, async (trx) => {
      await askDeletion(trx, { company, id: randomIds.id(), name: 'Firma', by: 'Frieda', now: before(asked * HOUR) });
      await createMaster(trx, company, 'Katalog', 'Tassen');
    });
    return company;
  };
  /** The database of a restore of what `fill` has made. */
  const restored = async (name: string, fill: (source: Database) => Promise<void>) => {
    const [own, dataFolder] = [join(folder, name), join(folder, name, 'restored')];
    const source = await openTestDatabase(own, undefined);
    await fill(source);
    for (const one of ['items', 'restored']) await mkdir(join(own, one), { recursive: true });
    const settings = { clock: { now: () => new Date(MADE) }, ids: randomIds, secret: 'g'.repeat(40), program: '1' };
    const file = join(own, 'backup.tar');
    await writeBackup({ database: source, itemsFolder: join(own, 'items'), ...settings }, file);
    await source.close();
    const target = { itemsFolder: join(dataFolder, 'items'), databaseFolder: join(dataFolder, 'database') };
    await restoreBackup(file, {
      ...target,
      dataFolder,
      place: folderPlace(target.itemsFolder),
      openDatabase: () => openEmbedded(target.databaseFolder),
      migrations,
      now,
      log: makeLog('silent'),
    });
    const database = await openEmbedded(target.databaseFolder);
    onTestFinished(() => database.close());
    return database;
  };
  const dueOf = (database: Database, company: string) =>
    database.company(company, (trx) =>
      trx.selectFrom('company_deletions').select('due_at').where('company', '=', company).executeTakeFirst(),
    );

  it('leaves the company a whole day, in which the deletion can be called off', async () => {
    let company = '';
    const database = await restored('waiting', async (source) => {
      company = await made(source, 20);
    });
    expect((await dueOf(database, company))?.due_at).toEqual(new Date(now.getTime() + DAY));
    await database.company(company, (trx) => callOff(trx, company, new Date(now.getTime() + 23 * HOUR)));
    expect(await dueOf(database, company)).toBeUndefined();
  });

  it('leaves what lay in the trash the days that it had, in which it can be brought back', async () => {
    let company = '';
    const database = await restored('trash', async (source) => {
      company = await made(source, 1);
      const asked = { typed: 'Tassen', by: 'Frieda', now: before(25 * DAY) };
      await source.company(company, (trx) => trashMaster(trx, { company, id: 'Katalog' }, asked));
    });
    const [entry] = await database.company(company, (trx) => listTrash(trx, company, now));
    expect(entry).toMatchObject({ id: 'Katalog', daysLeft: 5 });
    const later = new Date(now.getTime() + 4 * DAY);
    const back = database.company(company, (trx) => restoreTrashed(trx, { company, id: 'Katalog' }, later));
    expect((await back).name).toBe('Tassen');
  });
});
