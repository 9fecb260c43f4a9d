import { randomBytes } from 'node:crypto';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openForReading, readBackupKey, SealedWriter } from './sealed-file.ts';
import { TarReader, TarWriter } from './tar.ts';

const PIECE = 64 * 1024 + 16;
const HEAD = 48;
const key = Buffer.from('eine lange Passphrase');

describe('sealed backups', () => {
  let folder: string;
  let sealed: Buffer;
  const content = randomBytes(300_000);
  const pathOf = (name: string) => join(folder, name);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-sealed-'));
    const handle = await open(pathOf('a'), 'w');
    const writer = await SealedWriter.begin(handle, key);
    const tar = new TarWriter(writer, new Date(0));
    // Chunks whose size does not divide the size of a piece.
    await tar.add('files/x', content.length, chunksOf(content, 10_007));
    await tar.add('files/empty', 0, chunksOf(Buffer.alloc(0), 1));
    await tar.end();
    await writer.end();
    await handle.close();
    sealed = await readFile(pathOf('a'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function* chunksOf(bytes: Buffer, size: number) {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const opened = async (bytes: Buffer, secret: Buffer | undefined = key) => {
    await writeFile(pathOf('b'), bytes);
    const { handle } = await openForReading(pathOf('b'), secret);
    try {
      const archive = await TarReader.open(handle);
      const chunks: Buffer[] = [];
      for await (const chunk of archive.read('files/x')) chunks.push(chunk);
      return Buffer.concat(chunks);
    } finally {
      await handle.close();
    }
  };
  const changed = (at: number) => {
    const copy = Buffer.from(sealed);
    copy[at] = (copy[at] ?? 0) ^ 1;
    return copy;
  };

  it('are read back unchanged, and reveal nothing of their contents', async () => {
    expect(await opened(sealed)).toEqual(content);
    expect(sealed.includes('files/x')).toBe(false);
    expect(sealed.includes(content.subarray(0, 32))).toBe(false);
  });

  it('are refused with another key and without a key', async () => {
    await expect(opened(sealed, Buffer.from('eine andere Passphrase'))).rejects.toMatchObject({
      code: 'backup_wrong_key',
    });
    await writeFile(pathOf('b'), sealed);
    await expect(openForReading(pathOf('b'), undefined)).rejects.toMatchObject({ status: 422, code: 'backup_sealed' });
  });

  it('are refused if any byte was changed', async () => {
    for (const at of [HEAD, HEAD + 40_000, HEAD + PIECE - 1, HEAD + 2 * PIECE + 5, sealed.length - 1])
      await expect(opened(changed(at))).rejects.toMatchObject({ code: 'backup_damaged' });
    // If the salt or the key's check value was changed, a wrong key and a damaged file look the same.
    for (const at of [20, 40]) await expect(opened(changed(at))).rejects.toMatchObject({ code: 'backup_wrong_key' });
  });

  it('are refused if truncated, also between two chunks, and if chunks are reordered or doubled', async () => {
    const pieces: Buffer[] = [];
    for (let at = HEAD; at < sealed.length; at += PIECE) pieces.push(sealed.subarray(at, at + PIECE));
    expect(pieces.length).toBe(5);
    const head = sealed.subarray(0, HEAD);
    const of = (...order: number[]) => Buffer.concat([head, ...order.map((n) => pieces[n] ?? Buffer.alloc(0))]);
    expect(await opened(of(0, 1, 2, 3, 4))).toEqual(content);
    const wrong = [
      of(0, 1, 2, 3),
      of(0, 1, 2),
      of(),
      of(0, 2, 1, 3, 4),
      of(1, 2, 3, 4),
      of(0, 0, 1, 2, 3, 4),
      of(0, 1, 2, 3, 4, 4),
    ];
    for (const one of [...wrong, sealed.subarray(0, -1), sealed.subarray(0, 100_000), sealed.subarray(0, HEAD + 3)])
      await expect(opened(one)).rejects.toMatchObject({ code: 'backup_damaged' });
    // The encryption itself detects it, before the tar's end is checked.
    for (const one of [of(0, 1, 2, 3), of(0)]) {
      await writeFile(pathOf('b'), one);
      await expect(openForReading(pathOf('b'), key)).rejects.toMatchObject({ code: 'backup_damaged' });
    }
    await expect(opened(sealed.subarray(0, 30))).rejects.toMatchObject({ code: 'backup_damaged' });
    // Each opening derives the key anew, which takes a second of a busy processor.
  }, 240_000);

  it('that are no file are refused in German', async () => {
    for (const one of [pathOf('nichts'), folder])
      await expect(openForReading(one, undefined)).rejects.toMatchObject({
        code: 'backup_missing',
        message: expect.stringContaining(`Unter „${one}“ liegt keine lesbare Datei.`),
      });
  });

  it('have a key from a passphrase or from a file', async () => {
    await writeFile(pathOf('key'), randomBytes(32));
    expect(await readBackupKey(pathOf('key'))).toEqual(await readFile(pathOf('key')));
    expect(await readBackupKey('eine lange Passphrase')).toEqual(key);
    expect(await readBackupKey(undefined)).toBeUndefined();
    await expect(readBackupKey('zu kurz')).rejects.toThrow('mindestens 12 Zeichen');
    await expect(readBackupKey(pathOf('nichts'))).rejects.toThrow('nicht lesbar');
  });
});
