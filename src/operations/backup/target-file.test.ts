import { mkdtemp, readdir, readFile, readlink, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { giveName, removeUnfinished, targetFile } from './target-file.ts';

const now = new Date('2026-11-23T02:00:00Z');

it('a missing backup folder is created with mode 700, so that its name is not used as a file', async () => {
  const folder = join(await mkdtemp(join(tmpdir(), 'kontor-target-')), 'neu', 'backups');
  const named = { file: join(folder, 'kontor-2026-11-23T020000Z.tar'), folder };
  expect(await targetFile(folder, now, false)).toEqual(named);
  expect(await targetFile(folder, now, false)).toEqual(named);
  const { mode } = await stat(folder);
  expect((mode & 0o777).toString(8)).toBe('700');
});

it('a path named like a backup, or of an existing file, is a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-target-'));
  await writeFile(join(folder, 'alt'), '');
  for (const name of ['before.tar', 'before.tar.sealed', 'alt'])
    expect(await targetFile(join(folder, name), now, true)).toEqual({ file: join(folder, name), folder: undefined });
});

it('a target of which nobody knows whether it exists is a failure, not a new file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-target-'));
  await writeFile(join(folder, 'alt'), '');
  await expect(targetFile(join(folder, 'alt', 'before.tar'), now, true)).rejects.toMatchObject({ code: 'ENOTDIR' });
});

it('what killed backups into a file have left goes after a day, and nothing else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-target-'));
  const old = ['firma.tar.aB3dEfGhIjK1.tmp', 'firma.tar', 'firma.tar.alt.tmp', 'firma2.tar.aB3dEfGhIjK1.tmp'];
  for (const name of [...old, 'firma.tar.aB3dEfGhIjK2.tmp']) await writeFile(join(folder, name), '');
  for (const name of old) await utimes(join(folder, name), 0, new Date('2026-11-22T01:00:00Z'));
  await utimes(join(folder, 'firma.tar.aB3dEfGhIjK2.tmp'), 0, new Date('2026-11-22T03:00:00Z'));
  await removeUnfinished(join(folder, 'firma.tar'), now);
  expect((await readdir(folder)).toSorted()).toEqual([...old.slice(1), 'firma.tar.aB3dEfGhIjK2.tmp'].toSorted());
});

it('a complete backup replaces nothing that has its name meanwhile', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-target-'));
  const [temporary, file] = [join(folder, 'one'), join(folder, 'firma.tar')];
  await writeFile(temporary, 'one');
  // A check before a rename does not see it, like a file that appears between the two.
  await symlink(join(folder, 'missing'), file);
  await expect(giveName(temporary, file)).rejects.toMatchObject({ status: 409, code: 'backup_exists' });
  expect(await readlink(file)).toBe(join(folder, 'missing'));
  await rm(file);
  await giveName(temporary, file);
  expect(await readFile(file, 'utf8')).toBe('one');
});

it('a file system without hard links gets the name by a rename', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-target-'));
  const [temporary, file] = [join(folder, 'one'), join(folder, 'firma.tar')];
  await writeFile(temporary, 'one');
  const noLinks = () => Promise.reject(Object.assign(new Error('no links'), { code: 'EPERM' }));
  await giveName(temporary, file, noLinks);
  expect(await readdir(folder)).toEqual(['firma.tar']);
  await writeFile(temporary, 'two');
  await expect(giveName(temporary, file, noLinks)).rejects.toMatchObject({ code: 'backup_exists' });
  expect(await readFile(file, 'utf8')).toBe('one');
});
