import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { folderStore } from './folder-store.ts';
import { streamIfThere } from './store.ts';

it('a file that cannot be read is a failure, and only a missing one counts as missing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-store-'));
  try {
    writeFileSync(join(folder, 'file'), 'x');
    expect(await streamIfThere(folderStore, join(folder, 'missing'))).toBeUndefined();
    await expect(streamIfThere(folderStore, join(folder, 'file', 'below'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
