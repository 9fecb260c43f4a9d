import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import { makeZip } from '#feed/import/reader/archive/zip-fixture.ts';
import { packedTables } from './packed-file.ts';

const table = { name: 'Export/bestellungen.csv', content: 'a;b\n1;2' };

describe('a table in a ZIP archive', () => {
  it('is read if it is the only one; notes and system files beside it are left out', async () => {
    const notes = { name: 'LIESMICH.txt', content: 'Guten Tag' };
    const copy = { name: '__MACOSX/Export/._bestellungen.csv', content: 'x' };
    const found = await packedTables(makeZip([notes, copy, { name: 'leer.csv', content: '' }, table]));
    expect(found).toEqual({ name: table.name, file: Buffer.from(table.content) });
    expect(await packedTables(makeZip([notes]))).toMatchObject({ name: notes.name });
  });

  it('a workbook is read as before, in an archive too', async () => {
    const book = readFileSync(new URL('../../../../test/data/workbooks/artikel.xlsx', import.meta.url));
    for (const bytes of [book, makeZip([table, { name: 'artikel.xlsx', content: book }])])
      expect(await packedTables(bytes)).toMatchObject([
        { sheet: 'Viele' },
        { sheet: 'Artikel' },
        { sheet: 'Deckblatt' },
      ]);
  });

  const zip = (name: string, content: string | Buffer) => () => makeZip([{ name, content }]);
  const growing = () => zip('a.csv', 'a'.repeat(4 * 1024 * 1024))();
  /** Hardly compressible, so that only its size is too large. */
  const large = () => zip('a.csv', randomBytes(11 * 1024 * 1024).toString('hex'))();
  test.each<[string, () => Buffer, number, string]>([
    ['several', () => makeZip([table, { name: 'b.csv', content: 'x' }]), 422, '„Export/bestellungen.csv“, „b.csv“. Es'],
    ['an archive', zip('a.csv', makeZip([table])), 422, 'ein Archiv in einem Archiv'],
    ['a gz in it', zip('a.csv', gzipSync('a;b')), 422, 'ein Archiv in einem Archiv'],
    ['no table', zip('bild.png', 'x'), 422, 'enthält aber keine Arbeitsmappe'],
    ['one that leaves its folder', zip('../a.csv', 'a;b'), 422, 'beschädigt'],
    ['a truncated one', () => makeZip([table]).subarray(0, 60), 422, 'beschädigt'],
    ['T6 one that grows a thousandfold', growing, 413, 'entpackt zu groß'],
    ['T6 more than 20 MB', large, 413, 'entpackt zu groß'],
  ])('is refused with a reason: %s', async (_, made, status, words) => {
    await expect(packedTables(made())).rejects.toMatchObject({ status, message: expect.stringContaining(words) });
  });
});
