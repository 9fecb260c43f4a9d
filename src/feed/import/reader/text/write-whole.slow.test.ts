import fs from 'node:fs';
import zlib from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { importContent } from '#feed/import/reader/import-fixture.ts';

/** Makes each write take a thousand bytes at most, as on a disk that is nearly full. */
function shortWrites(): void {
  const { writeSync } = fs;
  onTestFinished(() => void Object.assign(fs, { writeSync }));
  Object.assign(fs, {
    writeSync(descriptor: number, data: string | NodeJS.ArrayBufferView, from = 0, length?: number, at?: number) {
      const isText = typeof data === 'string';
      const bytes = isText ? Buffer.from(data) : Buffer.from(data.buffer, data.byteOffset, data.byteLength);
      return writeSync(descriptor, bytes, from, Math.min(length ?? bytes.length - from, 1000), at);
    },
  });
}

test('F10: rows survive writes that take only part of their bytes', async () => {
  const lines = Array.from({ length: 70_000 }, (_, index) => `A${index};Gr\u00f6\u00dfe ${index}`);
  const file = zlib.gzipSync(Buffer.from(['sku;name', ...lines, ...lines.slice(0, 200)].join('\n'), 'latin1'));
  shortWrites();
  const { result, rows, rejected } = await importContent(file, { key: 'sku', way: 'exact' });
  expect(result).toMatchObject({ ok: true, accepted: 70_000, duplicates: 200 });
  expect(rows.at(-201)).toEqual(['A69999', 'Größe 69999']);
  expect([rejected.length, rejected.at(-1)?.line]).toEqual([200, 201]);
});
