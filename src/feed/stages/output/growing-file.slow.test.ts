import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { holdsControls } from './control-bytes.ts';
import { GrowingFile } from './growing-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kontor-growing-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Appends the parts one after the other, with pauses. */
const slowly = (path: string, parts: readonly string[]) => async () => {
  for (const part of parts) {
    await wait(20);
    await appendFile(path, part);
  }
};

describe('a file that is read while it is being written', () => {
  test('returns everything written, and a short read only at its end', async () => {
    const path = join(folder, 'parts');
    await writeFile(path, 'what stood there before');
    const file = await GrowingFile.begin(path, slowly(path, ['abc', 'defgh', 'ij', 'k']));
    const read: string[] = [];
    for (let at = 0; ; at += 4) {
      const memory = Buffer.alloc(4);
      const bytes = await file.read(memory, at);
      read.push(memory.toString('utf8', 0, bytes));
      if (bytes < 4) break;
    }
    await file.close();
    expect(read).toEqual(['abcd', 'efgh', 'ijk']);
  });

  test('fails with the error of its writer, and can still be closed', async () => {
    const path = join(folder, 'broken');
    const file = await GrowingFile.begin(path, async () => {
      await wait(20);
      throw new Error('no space left');
    });
    await expect(file.read(Buffer.alloc(4), 0)).rejects.toThrow('no space left');
    await expect(file.close()).resolves.toBeUndefined();
  });

  test('is searched for control characters at any position', async () => {
    const path = join(folder, 'controls');
    const around = 'Größe;"a\tb"\r\n'.repeat(200_000);
    const look = async (parts: readonly string[]) => {
      const file = await GrowingFile.begin(path, slowly(path, parts));
      const found = await holdsControls(file);
      await file.close();
      return found;
    };
    expect(await look([around, around])).toBe(false);
    for (let at = 0; at < 18; at++) expect(await look([around, `${'x'.repeat(at)}\u001f`])).toBe(true);
    expect(await look(['\0', around])).toBe(true);
  });
});
