import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCompany } from '#auth/auth.ts';
import { createMaster } from '#catalogue/masters.ts';
import { restoreBackup } from '#operations/backup/restore.ts';
import { writeBackup } from '#operations/backup/write-backup.ts';
import { scheduleDeletion, cancelDeletion } from '#operations/company-data/deletion.ts';
import { folderPlace } from '#operations/file-places/folder-place.ts';
import { listTrash, restoreTrashed, trashMaster } from '#operations/trash/trash.ts';
import { type Database, openEmbedded } from '#platform/db/database.ts';
import { randomIds } from '#platform/ids.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import { migrations } from '../../../src/deps.ts';
import { openTestDatabase } from '../../stages/kontor.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const MADE = new Date('2026-03-10T08:00:00Z').getTime();
const before = (ms: number) => new Date(MADE - ms);

describe('a restore with pending deletions', () => {
  let folder: string;
  let database: Database;
  /** A company waiting for its deletion, and one that was being deleted. */
  let waiting: string;
  let going: string;
  /** Ten days after the backup. */
  const now = new Date(MADE + 10 * DAY);

  /** Creates a company with a catalogue, whose deletion was requested this many hours before the backup. */
  const made = async (source: Database, asked: number) => {
    const company = await createCompany(source, randomIds, { now: () => before(40 * DAY) }, 'Firma');
    await source.company(company, async (trx) => {
      await scheduleDeletion(trx, {
        company,
        id: randomIds.id(),
        name: 'Firma',
        by: 'Frieda',
        now: before(asked * HOUR),
      });
      await createMaster(trx, company, `Katalog${asked}`, 'Tassen');
    });
    return company;
  };
  const fill = async (source: Database) => {
    waiting = await made(source, 20);
    const asked = { typed: 'Tassen', by: 'Frieda', now: before(25 * DAY) };
    await source.company(waiting, (trx) => trashMaster(trx, { company: waiting, id: 'Katalog20' }, asked));
    going = await made(source, 30);
    // Its files were deleted first: the live snapshot has none.
    await source.company(going, async (trx) => {
      const state = { company: going, master: 'Katalog30', number: 1, runid: 'R', items: 2, fields: '[]', source: '' };
      await trx.insertInto('snapshots').values(state).execute();
      await trx.updateTable('masters').set({ live_snapshot: 1 }).where('company', '=', going).execute();
    });
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-deletions-'));
    const [itemsFolder, dataFolder, file] = [
      join(folder, 'items'),
      join(folder, 'restored'),
      join(folder, 'backup.tar'),
    ];
    for (const one of [itemsFolder, dataFolder]) await mkdir(one);
    const source = await openTestDatabase(folder, undefined);
    await fill(source);
    const settings = { clock: { now: () => new Date(MADE) }, ids: randomIds, secret: 'g'.repeat(40), program: '1' };
    await writeBackup({ database: source, itemsFolder, ...settings }, file);
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
    database = await openEmbedded(target.databaseFolder);
  });
  afterAll(async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });
  const dueOf = async (company: string) =>
    (
      await database.company(company, (trx) =>
        trx.selectFrom('company_deletions').select('due_at').where('company', '=', company).executeTakeFirst(),
      )
    )?.due_at;

  it('gives the company a whole day to cancel the deletion', async () => {
    expect(await dueOf(waiting)).toEqual(new Date(now.getTime() + DAY));
    await database.company(waiting, (trx) => cancelDeletion(trx, waiting, new Date(now.getTime() + 23 * HOUR)));
    expect(await dueOf(waiting)).toBeUndefined();
  });

  it('leaves trashed catalogues their remaining days, in which they can be restored', async () => {
    const [entry] = await database.company(waiting, (trx) => listTrash(trx, waiting, now));
    expect(entry).toMatchObject({ id: 'Katalog20', daysLeft: 5 });
    const later = new Date(now.getTime() + 4 * DAY);
    const back = database.company(waiting, (trx) => restoreTrashed(trx, { company: waiting, id: 'Katalog20' }, later));
    expect((await back).name).toBe('Tassen');
  });

  it('keeps the due time of a deletion whose files were already gone when the backup was made', async () => {
    // It was too late to cancel it.
    expect(await dueOf(going)).toEqual(before(6 * HOUR));
  });
});
