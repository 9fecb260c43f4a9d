import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openBackup } from '#operations/backup/read-backup.ts';
import { writeBackup } from '#operations/backup/write-backup.ts';
import { systemClock } from '#platform/clock.ts';
import { saveDocument } from '#platform/db/documents.ts';
import { randomIds } from '#platform/ids.ts';
import { openTestDatabase } from '../../stages/kontor.ts';

const migrations = new URL('../../../migrations', import.meta.url).pathname;

it('a backup whose working files cannot be written fails, and the database answers on', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-failed-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const database = await openTestDatabase(folder, undefined);
  onTestFinished(() => database.close());
  const place = { company: 'C1', subject: 'rules', scope: 'master:M1' };
  // More than fits into the buffers between the table and its file.
  const body = randomBytes(1024 ** 2).toString('hex');
  await database.company('C1', (trx) => saveDocument(trx, place, { body, author: 'Frieda' }));
  // A folder stands where the rows of this table are to be written.
  await mkdir(join(folder, 'items', 'backup-B1.tmp', 'documents.gz'), { recursive: true });
  const settings = { clock: systemClock, ids: { ...randomIds, id: () => 'B1' }, secret: 'g'.repeat(40), program: '1' };
  const itemsFolder = join(folder, 'items');
  const backup = writeBackup({ database, itemsFolder, ...settings }, join(folder, 'backups', 'one.tar'));
  await expect(backup).rejects.toMatchObject({ code: 'EEXIST' });
  expect([await readdir(itemsFolder), await readdir(join(folder, 'backups'))]).toEqual([[], []]);
  await database.ping();
}, 20_000);

it('of two backups into the same file at once one is refused, and the other can be opened', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-twice-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const database = await openTestDatabase(folder, undefined);
  onTestFinished(() => database.close());
  const settings = { clock: systemClock, ids: randomIds, secret: 'g'.repeat(40), program: '1' };
  const itemsFolder = join(folder, 'items');
  await mkdir(join(itemsFolder, 'C1', 'M1'), { recursive: true });
  await writeFile(join(itemsFolder, 'C1', 'M1', 'file'), randomBytes(8 * 1024 ** 2));
  const file = join(folder, 'backups', 'one.tar');
  // A killed backup has left this.
  await mkdir(join(folder, 'backups'));
  await writeFile(`${file}.aB3dEfGhIjK1.tmp`, 'half');
  await utimes(`${file}.aB3dEfGhIjK1.tmp`, 0, 0);
  const write = () => writeBackup({ database, itemsFolder, ...settings }, file);
  const ends = await Promise.allSettled([write(), write()]);
  expect(ends.map((end) => (end.status === 'rejected' ? end.reason : {}))).toContainEqual(
    expect.objectContaining({ code: 'backup_exists' }),
  );
  const { archive, manifest } = await openBackup(file, migrations);
  onTestFinished(() => archive.close());
  expect(manifest.files).toHaveLength(1);
  expect(await readdir(join(folder, 'backups'))).toEqual(['one.tar']);
}, 20_000);
