import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { FileCache } from './file-cache.ts';

const fileOf = (content: Uint8Array) => ({
  sha256: createHash('sha256').update(content).digest('hex'),
  bytes: content.length,
});
const arriving = (content: Uint8Array) =>
  async function* () {
    yield content;
  };

async function openCache(limit: number, waitMs: number) {
  const root = mkdtempSync(join(tmpdir(), 'kontor-cache-'));
  const cache = await FileCache.open(root, limit, waitMs);
  onTestFinished(() => {
    cache.close();
    rmSync(root, { recursive: true });
  });
  const folder = join(root, '0');
  const sizes = () =>
    readdirSync(folder)
      .filter((name) => name !== 'kontor.lock')
      .map((name) => statSync(join(folder, name)).size);
  return { cache, root, sizes };
}

it('files fetched at the same time do not exceed the limit together', async () => {
  const { cache, sizes } = await openCache(100, 200);
  const [one, other] = [Buffer.alloc(60, 1), Buffer.alloc(60, 2)];
  const both = await Promise.allSettled(
    [one, other].map((content) => cache.hold(fileOf(content), 'file', arriving(content))),
  );
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(sizes()).toEqual([60]);
});

it('a file that is being taken over is not fetched as well, and its bytes count once', async () => {
  const { cache, root, sizes } = await openCache(200, 0);
  const [content, later] = [Buffer.alloc(60, 1), Buffer.alloc(140, 2)];
  const own = join(root, 'own.tmp');
  writeFileSync(own, content);
  const adopted = cache.adopt(fileOf(content), own);
  // The adoption has looked for the file in the cache, and renames it now.
  for (let tick = 0; tick < 3; tick++) await Promise.resolve();
  const held = await cache.hold(fileOf(content), 'file', () => {
    throw new Error('fetched');
  });
  await adopted;
  expect(readFileSync(held.path)).toEqual(content);
  const other = await cache.hold(fileOf(later), 'later', arriving(later));
  expect(sizes().toSorted((a, b) => a - b)).toEqual([60, 140]);
  for (const { release } of [held, other]) release();
});

it('a folder that cannot be locked is reported, not taken for one in use', async () => {
  const root = mkdtempSync(join(tmpdir(), 'kontor-cache-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, '0', 'kontor.lock'), { recursive: true });
  await expect(FileCache.open(root, 100)).rejects.toThrow('EISDIR');
});
