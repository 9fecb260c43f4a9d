import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { testDatabaseUrl, testKontor } from '../../stages/kontor.ts';

it('a start without the secret of the data is refused, and makes no new one', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'kontor-secret-'));
  onTestFinished(() => rm(dataFolder, { recursive: true, force: true }));
  const databaseUrl = await testDatabaseUrl();
  const place = { dataFolder, ...(databaseUrl === undefined ? {} : { databaseUrl }) };
  await (await testKontor({}, place)).close();
  await rm(join(dataFolder, 'geheimnis'));
  await expect(testKontor({}, place)).rejects.toThrow(/Die Datei „geheimnis“ fehlt in .*KONTOR_SECRET/);
  expect(await readdir(dataFolder)).not.toContain('geheimnis');
});
