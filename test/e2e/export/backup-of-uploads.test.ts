import { appendFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writeBackup } from '#operations/backup/write-backup.ts';
import { openBackup } from '#operations/backup/read-backup.ts';
import { systemClock } from '#platform/clock.ts';
import { randomIds } from '#platform/ids.ts';
import { migrations } from '../../../src/deps.ts';
import { openTestDatabase } from '../../stages/kontor.ts';

const MB = 1024 ** 2;

it('a backup succeeds while an upload is still being written', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-uploads-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const database = await openTestDatabase(folder, undefined);
  onTestFinished(() => database.close());
  const incoming = join(folder, 'items', 'C1', 'M1', 'incoming');
  await mkdir(incoming, { recursive: true });
  // One that waits for its import, an empty one, and one in progress.
  await writeFile(join(incoming, 'R1'), 'sku\nA-1\n');
  await writeFile(join(incoming, 'R2'), '');
  await writeFile(join(incoming, 'R3'), 'x'.repeat(8 * MB));
  const coming = setInterval(() => appendFileSync(join(incoming, 'R3'), 'x'.repeat(100_000)), 1);
  const file = join(folder, 'backup.tar');
  const settings = { clock: systemClock, ids: randomIds, secret: 'g'.repeat(40), program: '1' };
  try {
    await writeBackup({ database, itemsFolder: join(folder, 'items'), ...settings }, file);
  } finally {
    clearInterval(coming);
  }
  const { archive, manifest } = await openBackup(file, migrations);
  await archive.close();
  const bytes = manifest.files.map((one) => [one.path, one.bytes] as const);
  expect(bytes.slice(0, 2)).toEqual([
    ['C1/M1/incoming/R1', 8],
    ['C1/M1/incoming/R2', 0],
  ]);
  expect(bytes[2]?.[1]).toBeGreaterThanOrEqual(8 * MB);
});
