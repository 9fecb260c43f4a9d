import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { folderStore } from '#platform/storage/folder-store.ts';
import { holdFiles } from './hold-files.ts';

const COMPANIES = 40;
const LOOKS = 40;

it('every file is held and listed although other folders are created and deleted meanwhile', async () => {
  const root = await mkdtemp(join(tmpdir(), 'kontor-hold-'));
  onTestFinished(() => rm(root, { recursive: true, force: true, maxRetries: 10 }));
  const items = join(root, 'items');
  for (let n = 0; n < COMPANIES; n++) {
    const folder = join(items, `C${n}`, 'M1', 'snapshots');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, '1.parquet'), 'Inhalt');
  }
  const stop = new AbortController();
  const work = async (name: string) => {
    while (!stop.signal.aborted) {
      await mkdir(join(items, name, 'rest'), { recursive: true });
      await rm(join(items, name), { recursive: true });
    }
  };
  const passing = Promise.all(['A.tmp', 'C7-parts', 'Z.tmp'].map(work));
  try {
    for (let look = 0; look < LOOKS; look++) {
      expect(await holdFiles(items, join(root, `held-${look}`))).toHaveLength(COMPANIES);
      expect(await folderStore.list(items)).toHaveLength(COMPANIES);
    }
  } finally {
    stop.abort();
    await passing;
  }
});

it('a folder that cannot be read is an error, and not treated as empty', async () => {
  const root = await mkdtemp(join(tmpdir(), 'kontor-hold-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await writeFile(join(root, 'items'), 'no folder');
  await expect(holdFiles(join(root, 'items'), join(root, 'held'))).rejects.toThrow('ENOTDIR');
});
