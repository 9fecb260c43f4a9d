import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { folderPlace } from './folder-place.ts';

it('a folder that does not exist has no files; one that cannot be read is no empty one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-place-'));
  expect(await folderPlace(join(folder, 'neu')).firstFile()).toBeUndefined();
  const file = join(folder, 'datei');
  await writeFile(file, 'x');
  expect(await folderPlace(folder).firstFile()).toBe('datei');
  expect(await folderPlace(folder).firstFile(/^datei$/)).toBeUndefined();
  await expect(folderPlace(file).firstFile()).rejects.toThrow(/ENOTDIR/);
});
