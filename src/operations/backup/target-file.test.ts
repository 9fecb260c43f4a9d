import { mkdtemp, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { targetFile } from './target-file.ts';

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
