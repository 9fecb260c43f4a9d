import zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { importContent } from '#feed/import/reader/import-fixture.ts';
import { makeZip } from './zip-fixture.ts';

type Member = { name: string; content?: string | Buffer; type?: string; size?: number };

/** A TAR archive (POSIX ustar) as `tar -c` writes it. */
function makeTar(members: readonly Member[]): Buffer {
  const blocks = members.flatMap(({ name, content = '', type = '0', size }) => {
    const data = Buffer.from(content);
    const header = Buffer.alloc(512);
    header.write(name, 0, 100);
    header.write('0000644\0', 100);
    header.write(`${(size ?? data.length).toString(8).padStart(11, '0')}\0`, 124);
    header.write('        ', 148);
    header.write(type, 156);
    header.write('ustar\u000000', 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [header, data, Buffer.alloc((512 - (data.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

const csv = 'sku;name\n1;a\n2;b\n';
const rows = [
  ['1', 'a'],
  ['2', 'b'],
];
const longName = `${'ordner/'.repeat(30)}artikel.csv`;
const pax = `${` path=${longName}\n`.length + 3} path=${longName}\n`;

describe('TAR archives', () => {
  test('are read, packed with gzip or not, whatever they are called', async () => {
    const tar = makeTar([
      { name: 'export/', type: '5' },
      { name: 'export/artikel.csv', content: csv },
      { name: 'export/liesmich.txt', content: 'Hallo' },
      { name: 'export/._artikel.csv', content: 'x' },
    ]);
    for (const content of [tar, zlib.gzipSync(tar)]) {
      const found = await importContent(content, { name: 'x.csv' });
      expect(found).toMatchObject({
        rows,
        result: { ok: true, format: { archive: 'tar', members: ['export/artikel.csv'] } },
        leftovers: [],
      });
    }
  });

  test('an empty file next to the catalogue is no obstacle, an empty file alone is refused', async () => {
    const beside = makeTar([
      { name: 'artikel.csv', content: csv },
      { name: 'leer.csv', content: '' },
    ]);
    expect((await importContent(beside)).rows).toEqual(rows);
    expect((await importContent(makeTar([{ name: 'leer.csv', content: '' }]))).result).toMatchObject({ ok: false });
  });

  test('several tables of one kind become one catalogue', async () => {
    const second = 'sku;preis\n3;1,50\n';
    const tar = makeTar([
      { name: 'a.csv', content: csv },
      { name: 'b.csv', content: second },
    ]);
    expect((await importContent(zlib.gzipSync(tar))).rows).toEqual([
      ...rows.map((row) => [...row, '']),
      ['3', '', '1,50'],
    ]);
  });

  test.each([
    [{ name: './PaxHeaders/a', content: pax, type: 'x' }],
    [{ name: '././@LongLink', content: `${longName}\0`, type: 'L' }],
  ])('long names stand in a header of their own: %j', async (header) => {
    const { result } = await importContent(makeTar([header, { name: 'cut', content: csv }]));
    expect(result).toMatchObject({ ok: true, format: { members: [longName] } });
  });

  test('names may begin with ./, as those of tar c . do; hidden files stay hidden', async () => {
    const tar = makeTar([
      { name: './', type: '5' },
      { name: './artikel.csv', content: csv },
      { name: './._artikel.csv', content: 'x' },
    ]);
    for (const content of [tar, zlib.gzipSync(tar)])
      expect(await importContent(content)).toMatchObject({
        rows,
        result: { ok: true, format: { members: ['artikel.csv'] } },
      });
  });

  test.each(['1', '2'])('T6 a link beside a file is skipped with a warning: type %s', async (type) => {
    const found = await importContent(
      makeTar([
        { name: 'a.csv', content: csv },
        { name: '../aktuell.csv', type },
      ]),
    );
    expect(found).toMatchObject({ rows, result: { ok: true, format: { members: ['a.csv'] } } });
    expect(found.result.ok && found.result.warnings).toEqual([
      { code: 'tar_links_skipped', message: expect.stringContaining('„../aktuell.csv“') },
    ]);
  });

  test('a pax name ends at NUL', async () => {
    const path = '18 path=b.csv\0.exe\n';
    const { result } = await importContent(
      makeTar([
        { name: 'x', content: path, type: 'x' },
        { name: 'cut', content: csv },
      ]),
    );
    expect(result).toMatchObject({ ok: true, format: { members: ['b.csv'] } });
  });

  test('a table with "ustar" at byte 257 is no archive', async () => {
    const head = 'sku;name\n1;';
    const { result } = await importContent(
      `${head}${'x'.repeat(256 - head.length)}mustard\n2;b\n${'3;c\n'.repeat(100)}`,
    );
    expect(result).toMatchObject({ ok: true, format: { format: 'csv' } });
  });

  test('T6 links, paths out of the folder, archives within, too many and cut entries are refused', async () => {
    const good = { name: 'a.csv', content: csv };
    const bent = makeTar([good]);
    bent[0] = 0x62;
    const cases: [Buffer, string][] = [
      [makeTar([{ name: 'b.csv', type: '2' }]), 'tar_unsafe'],
      [
        makeTar([
          { name: 'leer/', type: '5' },
          { name: 'b.csv', type: '1' },
        ]),
        'tar_unsafe',
      ],
      [makeTar([{ name: 'a.csv', content: csv, type: 'S' }]), 'tar_sparse'],
      [makeTar([{ name: 'a', content: '22 GNU.sparse.major=1\n', type: 'x' }, good]), 'tar_sparse'],
      [makeTar([{ name: '../../a.csv', content: csv }]), 'tar_unsafe'],
      [makeTar([{ name: '/tmp/a.csv', content: csv }]), 'tar_unsafe'],
      [makeTar([{ name: 'a.csv.gz', content: zlib.gzipSync(csv) }]), 'nested_archive'],
      [makeTar([{ name: 'a.zip', content: makeZip([good]) }]), 'nested_archive'],
      [makeTar([{ name: 'a.tar', content: makeTar([good]) }]), 'nested_archive'],
      [makeZip([{ name: 'a.csv', content: makeTar([good]) }]), 'nested_archive'],
      [
        makeTar(Array.from({ length: 1001 }, (_, index) => ({ name: `${index}.csv`, content: csv }))),
        'tar_too_many_entries',
      ],
      [makeTar(Array.from({ length: 2001 }, (_, index) => ({ name: `${index}/`, type: '5' }))), 'tar_too_many_entries'],
      [makeTar([good]).subarray(0, 520), 'archive_broken'],
      [makeTar([good, { ...good, name: 'b.csv' }]).subarray(0, 1024), 'archive_broken'],
      [makeTar([good]).subarray(0, 600), 'archive_broken'],
      [makeTar([{ ...good, size: 10_000_000 }]), 'archive_broken'],
      [bent, 'archive_broken'],
      [makeTar([{ name: 'leer/', type: '5' }]), 'archive_empty'],
      [makeTar([{ name: 'bild.csv', content: Buffer.from('89504e470d0a1a0a', 'hex') }]), 'foreign_format'],
    ];
    const found = await Promise.all(cases.map(async ([content]) => (await importContent(content)).result));
    expect(found.map((result) => (result.ok ? 'ok' : result.code))).toEqual(cases.map(([, code]) => code));
  });
});
