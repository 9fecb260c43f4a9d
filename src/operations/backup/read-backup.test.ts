import { mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { randomBytes } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { tableEntry } from './manifest.ts';
import { storedRows } from './read-backup.ts';
import { TarReader, TarWriter } from './tar.ts';

it('a table that cannot be read to its end fails with the sentence of a damaged backup', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-read-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'backup.tar');
  const rows = gzipSync(`${JSON.stringify(randomBytes(3_000_000).toString('hex'))}\n`);
  const written = await open(file, 'w');
  const writer = new TarWriter(written, new Date(0));
  await writer.add(tableEntry('jobs'), rows.length, single(rows));
  await writer.end();
  await written.close();
  const archive = await TarReader.open(await open(file, 'r'));
  onTestFinished(() => archive.close());
  // The disk fails after the backup was verified.
  truncateSync(file, 2_000_000);
  const reading = async () => {
    for await (const _ of storedRows(archive, 'jobs'));
  };
  await expect(reading()).rejects.toMatchObject({ code: 'backup_damaged' });
});

it('rows are read whole that contain the line separators of Unicode', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-read-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'backup.tar');
  const texts = ['(1,"Hose\u2028blau")', '(2,"Größe\u2029\u0085L")'];
  const rows = gzipSync(texts.map((text) => `${JSON.stringify(text)}\n`).join(''));
  const written = await open(file, 'w');
  const writer = new TarWriter(written, new Date(0));
  await writer.add(tableEntry('listings'), rows.length, single(rows));
  await writer.end();
  await written.close();
  const archive = await TarReader.open(await open(file, 'r'));
  onTestFinished(() => archive.close());
  const pieces: string[][] = [];
  for await (const piece of storedRows(archive, 'listings')) pieces.push(piece);
  expect(pieces).toEqual([texts]);
});

async function* single(bytes: Uint8Array) {
  yield bytes;
}
