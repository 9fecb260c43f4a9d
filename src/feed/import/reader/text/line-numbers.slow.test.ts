import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importContent, withFolder } from '#feed/import/reader/import-fixture.ts';
import { LineNumbers } from './line-numbers.ts';

it('stores a line number for each row, also beyond the memory buffer and beyond 32 bits', async () => {
  await withFolder(async (folder) => {
    const lines = new LineNumbers(join(folder, 'lines'));
    const lineOf = (row: number) => row * 40_000 + 2;
    for (let row = 0; row < 200_000; row += 1) lines.add(lineOf(row));
    for (const row of [0, 1, 65_535, 65_536, 131_071, 131_072, 199_999]) expect(lines.at(row)).toBe(lineOf(row));
    lines.close();
  });
});

it.each(['fast', 'exact'] as const)(
  'reports the lines of duplicates, and the other rows keep their order (%s)',
  async (way) => {
    const rows = Array.from({ length: 200_000 }, (_, row) => (row % 40_000 === 7 ? 'doppelt;"a\nb"' : `A${row};"c"`));
    const { result, rejected, ids } = await importContent(`sku;titel\n${rows.join('\n')}\n`, { key: 'sku', way });
    expect(result).toMatchObject({ ok: true, accepted: 199_996, duplicates: 4, format: { reader: way } });
    expect(rejected.map(({ line }) => line)).toEqual([9, 40_010, 80_011, 120_012]);
    const kept = rows.filter((row, index) => !row.startsWith('doppelt') || index > 160_000);
    expect(ids).toEqual(kept.map((row) => row.split(';')[0]));
  },
);
