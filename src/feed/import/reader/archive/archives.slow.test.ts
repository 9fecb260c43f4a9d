import zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { importContent } from '#feed/import/reader/import-fixture.ts';
import { sheetRows, workbook } from '#feed/import/reader/xlsx/workbook-fixture.ts';
import { makeZip } from './zip-fixture.ts';

const csv = 'sku;name\n1;a\n2;b\n';

describe('archives', () => {
  test('recognises gz and zip by content, whatever the file name', async () => {
    const expected = [
      ['1', 'a'],
      ['2', 'b'],
    ];
    expect((await importContent(zlib.gzipSync(csv), { name: 'x.csv' })).rows).toEqual(expected);
    const zip = makeZip([
      { name: 'export/artikel.csv', content: csv },
      { name: 'liesmich.txt', content: 'Hallo' },
      { name: '__MACOSX/._artikel.csv', content: 'x' },
    ]);
    expect(await importContent(zip, { name: 'x.txt' })).toMatchObject({
      rows: expected,
      result: { ok: true, format: { archive: 'zip', members: ['export/artikel.csv'] } },
    });
  });

  test('reads several tables of one kind into the union of their columns', async () => {
    const zip = makeZip([
      { name: 'a.csv', content: csv },
      { name: 'b.csv', content: 'preis,sku\n"1,50",3\n' },
    ]);
    const { result, rows } = await importContent(zip);
    expect(result).toMatchObject({ ok: true, rowsIn: 3, key: 'sku' });
    expect(rows).toEqual([
      ['1', 'a', ''],
      ['2', 'b', ''],
      ['3', '', '1,50'],
    ]);
  });

  test('puts a surplus cell far below into a column of its own, not into one of an earlier workbook', async () => {
    const book = (rows: readonly (readonly string[])[]) => workbook([{ name: 'A', rows: sheetRows(rows) }]);
    const many = Array.from({ length: 310 }, (_, index) => [`B${index}`, 'Topf']);
    const { result, rows } = await importContent(
      makeZip([
        {
          name: 'a.xlsx',
          content: book([
            ['sku', 'name', 'preis'],
            ['A1', 'Kanne', '9'],
          ]),
        },
        { name: 'b.xlsx', content: book([['sku', 'name'], ...many, ['C1', 'Besen', 'rot']]) },
      ]),
    );
    expect(result.ok && result.fields.map(({ name }) => name)).toEqual(['sku', 'name', 'preis', 'Spalte 4']);
    expect(rows.at(-1)).toEqual(['C1', 'Besen', '', 'rot']);
  });

  test('warns if tables have no column in common, and not if they share one', async () => {
    const codes = async (second: string) => {
      const { result } = await importContent(
        makeZip([
          { name: 'artikel.csv', content: 'sku;name\n1;Kanne\n2;Topf\n' },
          { name: 'lager.csv', content: second },
        ]),
        { name: 'a.zip', options: { key: null } },
      );
      return result.ok ? result.warnings.map(({ code }) => code) : [result.code];
    };
    expect(await codes('ort;menge\nHalle;5\nHof;7\n')).toContain('zip_tables_apart');
    expect(await codes('sku;menge\n1;5\n2;7\n')).not.toContain('zip_tables_apart');
  });

  test('T6 refuses nested archives, links, paths out of the folder and too many entries', async () => {
    const inner = makeZip([{ name: 'a.csv', content: csv }]);
    const cases: [Buffer, string][] = [
      [makeZip([{ name: 'b.zip', content: inner }]), 'nested_archive'],
      [zlib.gzipSync(inner), 'nested_archive'],
      [zlib.gzipSync(zlib.gzipSync(csv)), 'nested_archive'],
      [makeZip([{ name: 'a.csv', content: '/etc/hostname', mode: 0o120_777 }]), 'zip_unsafe'],
      [makeZip([{ name: '../../a.csv', content: csv }]), 'zip_unsafe'],
      [makeZip([{ name: '/tmp/a.csv', content: csv }]), 'zip_unsafe'],
      [
        makeZip(Array.from({ length: 1001 }, (_, index) => ({ name: `${index}.csv`, content: csv }))),
        'zip_too_many_entries',
      ],
      [makeZip([]), 'zip_empty'],
      [makeZip([{ name: 'a.csv', content: csv }]).subarray(0, 80), 'zip_broken'],
    ];
    for (const [content, code] of cases)
      expect((await importContent(content)).result).toMatchObject({ ok: false, code });
  });

  test('names the kind of an unsupported archive', async () => {
    const packed: [string, string][] = [
      ['fd377a585a000004e6d6b446', 'xz-Archiv'],
      ['28b52ffd2404410000', 'Zstandard-Archiv'],
      ['425a683931415926', 'bzip2-Archiv'],
      ['377abcaf271c0004', '7-Zip-Archiv'],
    ];
    for (const [head, kind] of packed) {
      const { result } = await importContent(Buffer.concat([Buffer.from(head, 'hex'), Buffer.alloc(200, 7)]));
      expect(result).toMatchObject({ ok: false, message: expect.stringContaining(kind) });
    }
  });

  test('T6 stops bombs by ratio and by size, counted while unpacking', async () => {
    const bomb = zlib.gzipSync(Buffer.alloc(80 * 1024 * 1024, 'a;b;c\n'));
    expect((await importContent(bomb)).result).toMatchObject({ ok: false, code: 'archive_ratio' });
    const small = makeZip([{ name: 'a.csv', content: Buffer.alloc(2_000_000, 'a;b;c\n') }]);
    expect((await importContent(small, { limits: { archiveBytes: 1_000_000 } })).result).toMatchObject({
      ok: false,
      code: 'archive_too_large',
      message: expect.stringContaining('976,6 KB'),
    });
  });

  test('T7 refuses a gz that is cut off, wherever the cut is', async () => {
    const whole = zlib.gzipSync(
      Array.from({ length: 5000 }, (_, index) => `${index};Artikel ${index * 7919}`).join('\n'),
    );
    for (const length of [1, 5, 12, 100, Math.floor(whole.length / 2), whole.length - 1]) {
      expect((await importContent(whole.subarray(0, length))).result.ok).toBe(false);
    }
  });

  test('refuses a member whose checksum is wrong, although it can be unpacked', async () => {
    const damaged = (zip: Buffer) => {
      const bytes = Buffer.from(zip);
      const central = bytes.indexOf('PK\u0001\u0002', 0, 'latin1');
      bytes.writeUInt8(bytes.readUInt8(central + 16) ^ 1, central + 16);
      return bytes;
    };
    const broken = { ok: false, code: 'archive_broken' };
    expect((await importContent(damaged(makeZip([{ name: 'a.csv', content: csv }])))).result).toMatchObject(broken);
    const parts = [
      { name: 'xl/workbook.xml', content: '<workbook/>' },
      { name: '[Content_Types].xml', content: '<Types/>' },
    ];
    expect((await importContent(damaged(makeZip(parts)))).result).toMatchObject(broken);
  });

  test('refuses an unsupported compression method by name', async () => {
    const zip = makeZip([{ name: 'a.csv', content: csv }]);
    zip.writeUInt16LE(9, zip.indexOf('PK\u0001\u0002', 0, 'latin1') + 10);
    expect((await importContent(zip)).result).toMatchObject({
      ok: false,
      code: 'zip_method',
      message: expect.stringContaining('Deflate'),
    });
  });

  test.each([
    [['Index/Document.iwa', 'preview.jpg']],
    [['Index.zip', 'preview.jpg']],
    [['Index.zip', 'Metadata/Properties.plist']],
    [['index.zip', 'buildVersionHistory.plist', 'Data/x.jpg']],
  ])('recognises an Apple Numbers document: %j', async (names) => {
    const parts = names.map((name) => ({ name, content: 'x' }));
    expect((await importContent(makeZip(parts), { name: 'preise.numbers' })).result).toMatchObject({
      ok: false,
      code: 'foreign_format',
      message: expect.stringContaining('Apple Numbers'),
    });
  });

  test('an archive containing index.zip is not necessarily an Apple Numbers document', async () => {
    const index = { name: 'index.zip', content: makeZip([{ name: 'a.csv', content: csv }]) };
    expect((await importContent(makeZip([index]))).result).toMatchObject({ ok: false, code: 'nested_archive' });
    const { rows } = await importContent(makeZip([index, { name: 'artikel.csv', content: csv }]));
    expect(rows).toHaveLength(2);
  });

  test('I8: a web archive, which Excel and report programs name .xls, is refused with advice instead of read line by line', async () => {
    const archive =
      'MIME-Version: 1.0\r\nContent-Type: multipart/related\r\n\r\n<table><tr><td>sku</td></tr></table>\r\n';
    expect((await importContent(archive, { name: 'artikel.xls' })).result).toMatchObject({
      ok: false,
      code: 'foreign_format',
      message: expect.stringContaining('Webarchiv'),
    });
  });

  test('does not read the parts of an Office document as tables', async () => {
    const parts = [
      { name: '[Content_Types].xml', content: '<Types><Default Extension="rels"/><Default Extension="xml"/></Types>' },
      { name: 'ppt/slides/slide1.xml', content: '<sld><a>1</a><a>2</a></sld>' },
    ];
    expect((await importContent(makeZip(parts))).result).toMatchObject({ ok: false, code: 'foreign_format' });
  });
});
