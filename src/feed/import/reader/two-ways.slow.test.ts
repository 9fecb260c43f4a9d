import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { importContent } from './import-fixture.ts';

const cell = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    '19,90',
    'Größe "XL"',
    'zwei\nZeilen',
    'x;y',
    ' Rand ',
    '\t',
    '"',
    "'",
    '\\',
    '0',
    'NULL',
    '😀',
    '\ufeff',
    'a\r\nb',
  ),
  fc.string({ maxLength: 12 }).filter((text) => !text.includes('\0') && !text.includes('\r')),
);
const table = fc
  .tuple(fc.integer({ min: 3, max: 6 }), fc.integer({ min: 5, max: 30 }))
  .chain(([width, rows]) =>
    fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: rows, maxLength: rows }),
  );

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

describe('the fast and the exact reader', () => {
  test('I8 read any table with quoted cells as written, with equal ids and hashes', async () => {
    let fast = 0;
    await fc.assert(
      fc.asyncProperty(table, fc.constantFrom('\n', '\r\n'), async (rows, lineEnd) => {
        const header = rows[0]?.map((_, index) => `spalte${index}`) ?? [];
        const text = [header.join(';'), ...rows.map((row) => row.map(quoted).join(';'))].join(lineEnd) + lineEnd;
        const options = { options: { delimiter: ';', quote: '"', header: true, key: null } };
        const one = await importContent(text, { way: 'fast', ...options });
        const other = await importContent(text, { way: 'exact', ...options });
        expect(other.rows).toEqual(rows);
        expect([one.rows, one.ids, one.hashes]).toEqual([other.rows, other.ids, other.hashes]);
        if (one.result.ok && one.result.format.reader === 'fast') fast += 1;
      }),
      { numRuns: 60, seed: 20_261_120 },
    );
    expect(fast).toBeGreaterThan(20);
  });
});
