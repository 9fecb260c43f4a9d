import { describe, expect, test } from 'vitest';
import { importContent } from '#feed/import/reader/import-fixture.ts';

const rows = Array.from({ length: 12 }, (_, index) => [`A${index}`, `Topf ${index}`, `${index},90`]);
const written = (cell: (text: string) => string, lineEnd: string) =>
  [['sku', 'name', 'preis'], ...rows].map((cells) => cells.map(cell).join(';') + lineEnd).join('');

describe('line ends', () => {
  test.each(['auto', 'fast'] as const)('I8 CR CR LF, a CRLF that was converted twice, ends a row (%s)', async (way) => {
    for (const cell of [(text: string) => text, (text: string) => `"${text}"`]) {
      const { rows: read, result } = await importContent(written(cell, '\r\r\n'), { way });
      expect(read).toEqual(rows);
      expect(result).toMatchObject({ ok: true, accepted: 12, rejected: 0 });
    }
  });

  test.each(['auto', 'fast'] as const)(
    'I8 CR CR LF ends a row, also if it first occurs far below (%s)',
    async (way) => {
      const many = Array.from(
        { length: 600 },
        (_, index) => `A${index};Topf ${index};${index},90${index < 400 ? '\r\n' : '\r\r\n'}`,
      );
      const { rows: read, result } = await importContent(`sku;name;preis\r\n${many.join('')}`, { way });
      expect(result).toMatchObject({ ok: true, accepted: 600, rejected: 0 });
      expect(read.at(-1)).toEqual(['A599', 'Topf 599', '599,90']);
    },
  );

  test('a lone CR within a row is part of its cell', async () => {
    const { rows: read } = await importContent('sku;name\r\n1;oben\runten\r\n2;b\r\n');
    expect(read[0]).toEqual(['1', 'oben\runten']);
  });

  test.each(['auto', 'fast'] as const)(
    'a mix of CR and LF or CRLF ends rows, with a warning only for lone LFs (%s)',
    async (way) => {
      const lines = [['sku', 'name', 'preis'], ...rows].map((cells) => cells.join(';'));
      const turns = lines.map((line, index) => line + (index % 2 === 0 ? '\r' : '\n')).join('');
      const half = lines.map((line, index) => line + (index < 6 ? '\r' : '\r\n')).join('');
      for (const [text, codes] of [
        [turns, ['line_ends_mixed']],
        [half, []],
      ] as const) {
        const { rows: read, result } = await importContent(text, { way });
        expect(read).toEqual(rows);
        expect(result).toMatchObject({ ok: true, accepted: 12, rejected: 0, key: 'sku' });
        expect(result.ok && result.warnings.map(({ code }) => code)).toEqual(codes);
      }
    },
  );

  test.each(['auto', 'fast'] as const)(
    'CR ends rows although their texts contain LFs, quoted or not (%s)',
    async (way) => {
      const texts = rows.map(([sku, , preis]) => [sku, 'oben\n\nmitte\nunten', preis]);
      for (const mark of ['', '"']) {
        const lines = texts.map(([sku, text, preis]) => `${sku};${mark}${text}${mark};${preis}\r`);
        const { rows: read, result } = await importContent(`sku;text;preis\r${lines.join('')}`, { way });
        expect(read).toEqual(texts);
        expect(result).toMatchObject({ ok: true, accepted: 12, warnings: [] });
      }
    },
  );

  test('a lone CR in every row is part of a cell if it would split rows unevenly', async () => {
    const text = rows.map(([sku, name, preis]) => `${sku};oben\r${name};${preis}\n`).join('');
    const { rows: read, result } = await importContent(`sku;name;preis\n${text}`);
    expect(read[3]).toEqual(['A3', 'oben\rTopf 3', '3,90']);
    expect(result).toMatchObject({ accepted: 12, warnings: [] });
  });

  test.each([3, 7, 1500])('a lone CR before a delimiter in the texts of all %i rows ends none', async (count) => {
    const text = Array.from({ length: count }, (_, index) => `A${index};T${index};x\r;y;z\n`).join('');
    const { rows: read, result } = await importContent(`sku;name;text\n${text}`, { options: { key: null } });
    expect(result).toMatchObject({ ok: true, rowsIn: count });
    expect(read.at(-1)?.[0]).toBe(`A${count - 1}`);
    expect(result.ok && result.warnings.map(({ code }) => code)).not.toContain('line_ends_mixed');
  });

  test('alternating CR and LF end rows, although some rows have no item number', async () => {
    const lines = rows.map(([sku, name, preis], index) => `${index % 5 < 2 ? '' : sku};${name};${preis}`);
    const text = lines.map((line, index) => line + (index % 2 === 0 ? '\n' : '\r')).join('');
    const { result } = await importContent(`sku;name;preis\r${text}`, { options: { key: null } });
    expect(result).toMatchObject({ ok: true, accepted: 12, warnings: [{ code: 'line_ends_mixed' }] });
  });

  test('Unicode direction marks are not part of a column name', async () => {
    const { result } = await importContent('\u200fsku\u200e;\u202aname\u202c\n1;a\n2;b\n');
    expect(result).toMatchObject({ fields: [{ name: 'sku' }, { name: 'name' }] });
  });
});
