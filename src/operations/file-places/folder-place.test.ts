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

it('only a file that does not exist counts as missing; any other error is thrown', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-place-'));
  const sha256 = '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881';
  const has = (path: string) => folderPlace(folder).has({ path, bytes: 1, sha256 });
  await writeFile(join(folder, 'datei'), 'x');
  expect([await has('datei'), await has('neu'), await has('neu/datei')]).toEqual([true, false, false]);
  await expect(has('datei/darin')).rejects.toThrow(/ENOTDIR/);
});
