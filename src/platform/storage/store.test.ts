import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sweepFiles, sweepTemporaries } from './files.ts';
import { folderStore } from './folder-store.ts';
import { streamIfThere } from './store.ts';

it('a file that cannot be read is a failure, and only a missing one counts as missing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-store-'));
  try {
    writeFileSync(join(folder, 'file'), 'x');
    expect(await streamIfThere(folderStore, join(folder, 'missing'))).toBeUndefined();
    const hidden = join(folder, 'file', 'below');
    await expect(streamIfThere(folderStore, hidden)).rejects.toMatchObject({ code: 'ENOTDIR' });
    expect([await folderStore.has(join(folder, 'file')), await folderStore.has(join(folder, 'missing'))]).toEqual([
      true,
      false,
    ]);
    await expect(folderStore.has(hidden)).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(sweepTemporaries(hidden, new Date(), 0)).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(sweepFiles(hidden, new Date(), 'cache')).rejects.toMatchObject({ code: 'ENOTDIR' });
    expect(await sweepTemporaries(join(folder, 'missing'), new Date(), 0)).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
