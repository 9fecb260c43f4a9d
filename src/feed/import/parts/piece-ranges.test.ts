import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { ByteRange } from '#platform/storage/store.ts';
import { bordersOf, bytesBetween, type StoredPiece } from './piece-ranges.ts';

const contents = ['abcd', 'efgh', 'ijkl', 'mn'].map((text) => Buffer.from(text));
const pieces: StoredPiece[] = contents.map((content, index) => ({
  start: index * 4,
  bytes: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
  file: String(index),
  path: String(index),
}));

describe('the parts of a file that was uploaded in pieces', () => {
  it('border on each other at pieces, and the last one is not shorter than the others', () => {
    expect(bordersOf(pieces, 4)).toEqual([4, 8]);
    expect(bordersOf(pieces, 5)).toEqual([8]);
    expect(bordersOf(pieces, 9)).toEqual([]);
    expect(bordersOf(pieces, 1)).toEqual([4, 8, 12]);
    expect(bordersOf([], 1)).toEqual([]);
  });

  describe('bytes', () => {
    const read: (ByteRange | undefined)[] = [];
    const storeOf = (stored: readonly Buffer[]) => ({
      stream: async (path: string, range?: ByteRange) => {
        read.push(range);
        const content = stored[Number(path)] ?? Buffer.alloc(0);
        // In chunks of three bytes.
        const wanted = range === undefined ? content : content.subarray(range.start, range.end + 1);
        return Readable.from([wanted.subarray(0, 3), wanted.subarray(3)].filter(({ length }) => length > 0));
      },
    });
    const between = async (from: number, to: number, stored: readonly Buffer[] = contents) => {
      const chunks: Buffer[] = [];
      for await (const chunk of bytesBetween(storeOf(stored), pieces, from, to)) chunks.push(chunk);
      return Buffer.concat(chunks).toString();
    };

    it('are those from one place to before another, whatever pieces they are in', async () => {
      for (let from = 0; from <= 14; from++)
        for (let to = from; to <= 14; to++) expect(await between(from, to)).toBe('abcdefghijklmn'.slice(from, to));
    });

    it('of a piece whose end belongs to the part are read with the rest of the piece, for its checksum', async () => {
      read.length = 0;
      expect(await between(2, 10)).toBe('cdefghij');
      expect(read).toEqual([undefined, undefined, { start: 0, end: 1 }]);
    });

    it('of a piece that has changed are refused', async () => {
      const changed = contents.with(1, Buffer.from('eFgh'));
      await expect(between(4, 8, changed)).rejects.toMatchObject({ code: 'file_changed' });
      expect(await between(8, 14, changed)).toBe('ijklmn');
    });
  });
});
