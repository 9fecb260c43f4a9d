import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import { makeZip } from '#feed/import/reader/archive/zip-fixture.ts';
import { inline, sheetRows, workbook } from '#feed/import/reader/xlsx/workbook-fixture.ts';
import { NUMBER_MARK } from '#shared/workbook/workbook.ts';
import { workbookTables } from './workbook-tables.ts';

/** The same workbook, saved by LibreOffice in three formats. */
const file = (kind: string) =>
  readFileSync(new URL(`../../../../test/data/workbooks/artikel.${kind}`, import.meta.url));

describe('the sheets of a workbook as CSV', () => {
  test.each(['xls', 'ods', 'xlsx'])('are its visible ones, the largest first (.%s)', async (kind) => {
    const tables = await workbookTables(file(kind));
    expect(tables.map(({ sheet }) => sheet)).toEqual(['Viele', 'Artikel', 'Deckblatt']);
    expect(tables[0]?.text.split('\n').slice(-1)).toEqual(['"n59";"Text Nummer 59 ä ä ä";"0.59"']);
  });

  it('quote every cell and keep the rows that Excel shows', async () => {
    const rows = [['ID', 'Name'], [], [], ['1', 'Rohr 3/4"; verzinkt']];
    const [table] = await workbookTables(workbook([{ name: 'A', rows: sheetRows(rows) }]));
    expect(table?.text).toBe('"ID";"Name"\n\n\n"1";"Rohr 3/4""; verzinkt"');
  });

  it('mark numbers of three decimals for readers of amounts, as the same text may mean thousands', async () => {
    const rows = [
      ['Preis', 'Preis'],
      [1.125, '1.125'],
      [-12.5, '1.1'],
    ];
    const [table] = await workbookTables(workbook([{ name: 'A', rows: sheetRows(rows) }]));
    expect(table?.text).toBe('"Preis";"Preis"\n"1.125";"1.125"\n"-12.5";"1.1"');
    expect(table?.marked).toBe(`"Preis";"Preis"\n"1.125${NUMBER_MARK}";"1.125"\n"-12.5";"1.1"`);
    const [whole] = await workbookTables(workbook([{ name: 'A', rows: sheetRows([['Preis'], [12.5]]) }]));
    expect(whole).not.toHaveProperty('marked');
  });

  it('do not grow by empty rows above a forgotten cell far below', async () => {
    const rows = `${sheetRows([['ID', 'Name']])}<row r="1048576">${inline('A1048576', 'x')}${inline('B1048576', 'y')}</row>`;
    const [table] = await workbookTables(workbook([{ name: 'A', rows }]));
    expect(table?.text.length).toBeLessThan(2000);
  });

  it('are lines if they have one column', async () => {
    const rows = [['1 - Möbel'], ['2 - Möbel > Tisch\nTische']];
    const [table] = await workbookTables(workbook([{ name: 'A', rows: sheetRows(rows) }]));
    expect(table?.text).toBe('1 - Möbel\n2 - Möbel > Tisch Tische');
  });
});

describe('a packed workbook', () => {
  const sheetsOf = async (bytes: Buffer) => (await workbookTables(bytes)).map(({ sheet }) => sheet);
  const sheets = ['Viele', 'Artikel', 'Deckblatt'];

  test.each(['xls', 'ods', 'xlsx'])('is read from a gz and from a ZIP (.%s)', async (kind) => {
    const notes = { name: 'LIESMICH.txt', content: 'Guten Tag' };
    const copy = { name: `__MACOSX/._artikel.${kind}`, content: 'x' };
    const lock = { name: `Export/~$artikel.${kind}`, content: 'x' };
    const zip = makeZip([notes, copy, lock, { name: `Export/artikel.${kind}`, content: file(kind) }]);
    expect([await sheetsOf(gzipSync(file(kind))), await sheetsOf(zip)]).toEqual([sheets, sheets]);
  });

  const book = { name: 'a.xlsx', content: file('xlsx') };
  const start = Buffer.from([0x50, 0x4b, 3, 4]);
  const large = Buffer.concat([start, Buffer.alloc(4 * 1024 * 1024)]);
  test.each([
    ['two of them', makeZip([book, { ...book, name: 'b.xlsx' }]), 422, 'mehrere Arbeitsmappen'],
    ['a packed table', gzipSync('a;b'), 422, 'enthält aber keine Arbeitsmappe'],
    ['one packed twice', gzipSync(makeZip([book])), 422, 'enthält aber keine Arbeitsmappe'],
    ['one in an archive in an archive', makeZip([{ name: 'c.xlsx', content: makeZip([book]) }]), 422, 'keine Arbeits'],
    ['a truncated gz', gzipSync(file('xlsx')).subarray(0, 4000), 422, 'beschädigt'],
    ['T6 a gz that grows a thousandfold', gzipSync(large), 413, 'zu groß'],
    ['T6 a member that grows a thousandfold', makeZip([{ name: 'a.xlsx', content: large }]), 413, 'zu groß'],
  ])('is refused with a reason: %s', async (_, bytes, status, words) => {
    await expect(workbookTables(bytes)).rejects.toMatchObject({ status, message: expect.stringContaining(words) });
  });
});

describe('what a sheet hides or lacks', () => {
  it('is told with it: hidden rows and formulas without a value', async () => {
    const hidden = `<row r="2" hidden="1">${inline('A2', '1')}<c r="B2"><f>1+1</f></c></row>`;
    const book = workbook([{ name: 'A', rows: sheetRows([['ID', 'Name']]) + hidden }]);
    const [table] = await workbookTables(book);
    expect(table?.notes).toEqual([expect.stringContaining('Formel'), expect.stringContaining('ausgeblendet')]);
  });
});

describe('T6 a workbook that is small in its file and large in its cells', () => {
  const long = `<sst><si><t>${'x'.repeat(1_000_000)}</t></si></sst>`;
  const cell = (row: number) => `<row r="${row}"><c r="A${row}" t="s"><v>0</v></c></row>`;

  it('is refused before its text fills the memory', async () => {
    const rows = Array.from({ length: 200 }, (_, row) => cell(row + 1)).join('');
    const book = workbook([{ name: 'A', rows }], { strings: long });
    expect(book.length).toBeLessThan(20_000);
    await expect(workbookTables(book)).rejects.toMatchObject({ status: 413, code: 'too_large' });
  });

  it('does not grow by row numbers that go back', async () => {
    const rows = Array.from(
      { length: 2000 },
      (_, at) => `<row r="${at % 2 === 0 ? 1 : 1001}">${inline('A1', 'x')}</row>`,
    );
    const [table] = await workbookTables(workbook([{ name: 'A', rows: rows.join('') }]));
    expect(table?.text.length).toBeLessThan(10_000);
  });
});

describe('T6 a file that is no readable workbook is refused with a reason', () => {
  const cases: readonly (readonly [string, Buffer, string])[] = [
    ['an archive', makeZip([{ name: 'liste.csv', content: 'a;b' }]), 'ist ein ZIP-Archiv'],
    ['a text document', makeZip([{ name: 'word/document.xml', content: '<d/>' }]), 'ein Word-Dokument'],
    ['a truncated workbook', file('xlsx').subarray(0, 4000), 'beschädigt'],
    ['a truncated old workbook', file('xls').subarray(0, 20_000), 'beschädigt'],
    ['an empty workbook', workbook([{ name: 'A', rows: '' }]), 'Kein sichtbares Tabellenblatt'],
    [
      'hidden sheets',
      workbook([{ name: 'A', rows: sheetRows([['x']]), state: 'hidden' }]),
      'Kein sichtbares Tabellenblatt',
    ],
  ];
  test.each(cases)('%s', async (_name, bytes, words) => {
    await expect(workbookTables(bytes)).rejects.toMatchObject({ status: 422, message: expect.stringContaining(words) });
  });
});
