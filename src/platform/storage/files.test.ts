import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { publish } from './files.ts';

it('a file is put into its place once, however often the transaction around it is done; one that never was is told', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-files-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [temporary, final] = [join(folder, 'neu.tmp'), join(folder, 'neu')];
  await writeFile(temporary, 'Inhalt');
  await publish(temporary, final);
  await publish(temporary, final);
  expect(await readFile(final, 'utf8')).toBe('Inhalt');
  await expect(publish(join(folder, 'nie.tmp'), join(folder, 'nie'))).rejects.toThrow(/ENOENT/);
});
