import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { storagePathsIn } from '#catalogue/storage-paths.ts';
import { bytesOf } from './installation-use.ts';

it("the sizes of many companies' files are measured a few companies at a time", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-use-'));
  const { company, store } = storagePathsIn(folder);
  const ids = Array.from({ length: 20 }, (_, n) => `c${n}`);
  for (const [n, id] of ids.entries()) {
    await mkdir(company(id), { recursive: true });
    await writeFile(join(company(id), 'datei'), 'x'.repeat(n));
  }
  let [running, most] = [0, 0];
  const counted = {
    sizeOf: async (folders: readonly string[]) => {
      most = Math.max(most, ++running);
      return store.sizeOf(folders).finally(() => running--);
    },
  };
  expect(await bytesOf({ company, store: counted }, ids)).toEqual(ids.map((_, n) => n));
  expect(most).toBe(4);
});
