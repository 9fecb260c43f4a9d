import { expect, it } from 'vitest';
import { FILE_PART, filePart, streamPart } from './parts.ts';

const MiB = 1024 ** 2;

it('uses the usual part size for small files, and at most ten thousand parts for large ones', () => {
  expect([filePart(0), filePart(100e9), streamPart(0), streamPart(80e9)]).toEqual([
    FILE_PART,
    FILE_PART,
    8 * MiB,
    8 * MiB,
  ]);
  for (const bytes of [84e9, 100e9, 107_374_182_401, 1e12, 5e12]) {
    for (const part of [filePart(bytes), streamPart(bytes)]) {
      expect(bytes / part).toBeLessThan(10_000);
      expect(part % MiB).toBe(0);
    }
  }
});
