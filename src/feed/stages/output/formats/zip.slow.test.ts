import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openPromise } from 'yauzl';
import { isDiskFull } from '#platform/errors.ts';
import { GrowingFile } from '#feed/stages/output/growing-file.ts';
import { shortWrites } from '../../../../../test/stages/short-writes.ts';
import { writeZip, type ZipPart } from './zip.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kontor-zip-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Reads the archive with an independent reader, which verifies checksums and sizes. */
async function read(path: string): Promise<Record<string, Buffer>> {
  const zip = await openPromise(path);
  const found: Record<string, Buffer> = {};
  for await (const entry of zip.eachEntry())
    found[entry.fileName] = await buffer(await zip.openReadStreamPromise(entry));
  return found;
}

describe('a ZIP archive', () => {
  test.each([
    ['the usual threshold for 8-byte fields', undefined],
    ['8-byte sizes and offsets for every part', 0],
    ['8-byte sizes and offsets for large parts and high offsets', 1_000_000],
  ])('is read back byte by byte, with %s', async (_, limit) => {
    const large = Buffer.concat([randomBytes(5_000_000), Buffer.alloc(5_000_000, 'kontor ')]);
    const file = await GrowingFile.begin(join(folder, 'large'), async () => {
      for (let at = 0; at < large.length; at += 3_000_000) {
        await wait(20);
        await appendFile(join(folder, 'large'), large.subarray(at, at + 3_000_000));
      }
    });
    const parts: ZipPart[] = [
      { name: '[Content_Types].xml', content: Buffer.from('<Types/>') },
      { name: 'xl/blätter/größe.xml', content: { file } },
      { name: 'leer.txt', content: Buffer.alloc(0) },
      { name: 'ende.txt', content: Buffer.from('Schluß') },
    ];
    await writeZip(join(folder, 'a.zip'), parts, undefined, limit);
    await file.close();
    const found = await read(join(folder, 'a.zip'));
    expect(Object.keys(found)).toEqual(parts.map(({ name }) => name));
    expect(found['xl/blätter/größe.xml']?.equals(large)).toBe(true);
    expect(found['leer.txt']).toHaveLength(0);
    expect(found['ende.txt']?.toString()).toBe('Schluß');
  });

  test('has the same bytes for the same parts', async () => {
    const parts: ZipPart[] = [{ name: 'a', content: Buffer.alloc(9_000_000, 'abc') }];
    for (const name of ['b.zip', 'c.zip']) await writeZip(join(folder, name), parts);
    expect(readFileSync(join(folder, 'b.zip')).equals(readFileSync(join(folder, 'c.zip')))).toBe(true);
  });

  const letters = randomBytes(100_000);

  test('is complete if the disk accepts each write only in part', async () => {
    onTestFinished(await shortWrites({ most: 999 }));
    await writeZip(join(folder, 'e.zip'), [{ name: 'a', content: letters }]);
    expect((await read(join(folder, 'e.zip')))['a']?.equals(letters)).toBe(true);
  });

  test('F10 reports a full disk if only part of the last bytes fit', async () => {
    await writeZip(join(folder, 'f.zip'), [{ name: 'a', content: letters }]);
    const { length } = readFileSync(join(folder, 'f.zip'));
    onTestFinished(await shortWrites({ most: length, room: length - 5 }));
    const failure: unknown = await writeZip(join(folder, 'g.zip'), [{ name: 'a', content: letters }]).catch(
      (error: unknown) => error,
    );
    expect(isDiskFull(failure)).toBe(true);
  });

  test('is aborted when the run is cancelled', async () => {
    const parts: ZipPart[] = [{ name: 'a', content: Buffer.alloc(9_000_000) }];
    await expect(writeZip(join(folder, 'd.zip'), parts, AbortSignal.abort())).rejects.toThrow('aborted');
  });
});
