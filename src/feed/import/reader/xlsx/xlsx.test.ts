import { describe, expect, test } from 'vitest';
import { importContent, type FixtureOptions } from '#feed/import/reader/import-fixture.ts';
import { columnOf, dateText, durationText, inFormat, numberKind, plainDigits } from './xlsx-values.ts';
import { makeZip } from '#feed/import/reader/archive/zip-fixture.ts';
import { inline, sheetRows, workbook } from './workbook-fixture.ts';
import { processorMs } from '../../../../../test/stages/processor-time.ts';

const header = `<row r="1">${inline('A1', 'sku')}${inline('B1', 'wert')}${inline('C1', 'datum')}</row>`;

async function importBook(content: Buffer, options: FixtureOptions = {}) {
  return importContent(content, { name: 'artikel.xlsx', ...options });
}

describe('Excel workbooks', () => {
  test('reads shared and rich texts, numbers as stored, dates by format, booleans, errors, formulas and gaps', async () => {
    const styles =
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy"/><numFmt numFmtId="165" formatCode="0.00&quot; Tage&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>';
    const strings = '<sst><si><t>102.85</t></si><si><r><t>Kan</t></r><r><t>ne</t></r><rPh><t>x</t></rPh></si></sst>';
    const rows = `${header}<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2"><v>3.4986000000000002</v></c><c r="C2" s="1"><v>43101</v></c></row><row r="5"><c r="A5" t="s"><v>1</v></c><c r="C5" s="2"><v>43101.5</v></c></row><row><c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c><c s="3"><v>4.0E+3</v></c></row><row r="9"><c r="A9" t="str"><f>1+1</f><v>zwei</v></c><c r="B9"><f>1/3</f><v>4.031405196902E+12</v></c></row>`;
    const { rows: read, result } = await importBook(workbook([{ name: 'A', rows }], { styles, strings }));
    expect(read).toEqual([
      ['102.85', '3.4986', '2018-01-01'],
      ['Kanne', '', '2018-01-01T12:00:00'],
      ['true', '#N/A', '4000'],
      ['zwei', '4031405196902', ''],
    ]);
    expect(result).toMatchObject({ ok: true, format: { format: 'xlsx', sheet: 'A' } });
  });

  test('uses the first visible sheet with data, or the one chosen by name or number', async () => {
    const data = (value: string) => `${header}<row r="2">${inline('A2', value)}</row>`;
    const book = workbook([
      { name: 'Versteckt', rows: data('h'), state: 'hidden' },
      { name: 'Leer', rows: '' },
      { name: 'Artikel', rows: data('a') },
      { name: 'Mehr', rows: data('m') },
    ]);
    expect((await importBook(book)).rows[0]?.[0]).toBe('a');
    expect((await importBook(book, { options: { sheet: 'Mehr' } })).rows[0]?.[0]).toBe('m');
    expect((await importBook(book, { options: { sheet: 1 } })).rows[0]?.[0]).toBe('h');
    expect((await importBook(book, { options: { sheet: 'Fehlt' } })).result).toMatchObject({
      ok: false,
      code: 'sheet_missing',
      message: expect.stringContaining('„Artikel“'),
    });
    expect((await importBook(workbook([{ name: 'Leer', rows: '' }]))).result).toMatchObject({
      ok: false,
      code: 'empty',
    });
  });

  test('puts values beyond the header into nameless columns, and skips title rows', async () => {
    const rows = `<row r="1">${inline('A1', 'Preisliste')}</row><row r="3">${inline('A3', 'sku')}${inline('B3', 'name')}</row><row r="4">${inline('A4', '1')}${inline('B4', 'a')}${inline('D4', 'x')}</row>`;
    const { result, rows: read } = await importBook(workbook([{ name: 'A', rows }]));
    if (!result.ok) throw new Error(result.message);
    expect(result.fields.map((field) => field.name)).toEqual(['sku', 'name', 'Spalte 3', 'Spalte 4']);
    expect(read).toEqual([['1', 'a', '', 'x']]);
  });

  test('refuses broken .xls files, OpenDocument texts and workbooks with entities, with clear texts', async () => {
    const ole = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);
    expect((await importBook(ole)).result).toMatchObject({ ok: false, message: expect.stringContaining('.xls') });
    const letter = makeZip([
      { name: 'mimetype', content: 'application/vnd.oasis.opendocument.text' },
      { name: 'content.xml', content: '<x/>' },
    ]);
    expect((await importBook(letter)).result).toMatchObject({
      ok: false,
      message: expect.stringContaining('OpenDocument'),
    });
    const evil = workbook([{ name: 'A', rows: header }], {
      strings: '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]><sst><si><t>&e;</t></si></sst>',
    });
    expect((await importBook(evil)).result).toMatchObject({ ok: false, code: 'xml_entity' });
  });

  test('reads a workbook that was zipped again inside its folder', async () => {
    const inside = [
      ['[Content_Types].xml', '<Types/>'],
      ['xl/workbook.xml', '<workbook xmlns:r="r"><sheets><sheet name="A" r:id="r1"/></sheets></workbook>'],
      [
        'xl/_rels/workbook.xml.rels',
        '<Relationships><Relationship Id="r1" Type="x/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
      ],
      [
        'xl/worksheets/sheet1.xml',
        `<worksheet><sheetData>${sheetRows([
          ['sku', 'name'],
          ['1', 'a'],
        ])}</sheetData></worksheet>`,
      ],
    ];
    const book = makeZip(inside.map(([name, content]) => ({ name: `Preisliste/${name}`, content: content ?? '' })));
    expect(await importBook(book)).toMatchObject({
      rows: [['1', 'a']],
      result: { ok: true, format: { format: 'xlsx' } },
    });
  });

  test('T6 a long shared text used by many cells is bounded in memory and on disk', async () => {
    const strings = `<sst><si><t>${'x'.repeat(900_000)}</t></si></sst>`;
    const named = (row: number, cells: number) => `<row r="${row}">${'<c t="s"><v>0</v></c>'.repeat(cells)}</row>`;
    const head = sheetRows([['sku', 'name']]);
    const one = await importBook(workbook([{ name: 'A', rows: head + named(2, 900) + named(3, 2) }], { strings }));
    expect(one.result).toMatchObject({ ok: true, accepted: 1, rejected: 1 });
    expect(one.rejected).toMatchObject([{ line: 2, reason: expect.stringContaining('Zeile ist größer') }]);
    const rows = Array.from({ length: 40 }, (_, index) => named(index + 2, 2)).join('');
    const limits = { archiveBytes: 50_000_000 };
    const all = await importContent(workbook([{ name: 'A', rows: head + rows }], { strings }), { limits });
    expect(all.result).toMatchObject({ ok: false, code: 'archive_too_large' });
  });

  test('converts number formats, dates of both calendars, durations, exponents and cell references', () => {
    expect([14, 22, 46, 2].map((id) => numberKind(id, undefined))).toEqual(['date', 'date', 'duration', 'number']);
    expect(
      ['General', '0.00', '[Red]0.0', '0 "m"', 'mmm yy', '[h]:mm', 'h:mm AM/PM', '@'].map((code) =>
        numberKind(170, code),
      ),
    ).toEqual(['number', 'number', 'number', 'number', 'date', 'duration', 'date', 'number']);
    expect([
      dateText('1', false),
      dateText('59', false),
      dateText('61', false),
      dateText('0.75', false),
      dateText('0', true),
      dateText('-5', false),
    ]).toEqual(['1900-01-01', '1900-02-28', '1900-03-01', '18:00:00', '1904-01-01', '-5']);
    const numbered = ['00000', '00000;-00000', '[$-407]00000', '"A-"00;[Red]\\-0;0'];
    expect(numbered.map((code) => inFormat('7', numberKind(170, code)))).toEqual(['00007', '00007', '00007', 'A-07']);
    const withZero = [
      '00;-00;"-"',
      '"A-"00;-00;"kei;"\\n;@',
      '00;-00;',
      '00;-00;00',
      '00;"-;"',
      '00;;;',
      '00;-00;"-"??',
      '00;-00;[Blue]_-"-"_-',
    ];
    expect(withZero.map((code) => inFormat('0', numberKind(170, code)))).toEqual([
      '-',
      'kei;n',
      '',
      '00',
      '00',
      '',
      '-',
      '-',
    ]);
    expect(durationText('1.5')).toBe('36:00:00');
    expect(['1E3', '1.25E-3', '-4.5e+2', '12', '1E+20'].map(plainDigits)).toEqual([
      '1000',
      '0.00125',
      '-450',
      '12',
      '100000000000000000000',
    ]);
    expect(['A1', 'Z9', 'AA1', 'XFD1', '1'].map(columnOf)).toEqual([0, 25, 26, 16_383, -1]);
  });

  test('whole numbers that Google Tabellen and Java programs write as decimals are whole numbers', async () => {
    const styles =
      '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="00000"/></numFmts><cellXfs><xf/><xf numFmtId="170"/></cellXfs></styleSheet>';
    const cells = ['<c r="A2" s="1"><v>11.0</v></c>', '1001.0', '4.006381333931E12', '19.50', '0.0', '10.0', '-3.0'];
    const row = cells.map((cell) => (cell.startsWith('<') ? cell : `<c><v>${cell}</v></c>`)).join('');
    const head = sheetRows([['sku', 'nr', 'ean', 'preis', 'bestand', 'menge', 'delta']]);
    const { rows } = await importBook(workbook([{ name: 'A', rows: `${head}<row r="2">${row}</row>` }], { styles }));
    expect(rows).toEqual([['00011', '1001', '4006381333931', '19.5', '0', '10', '-3']]);
  });

  test('T6 a number with 100,000 zeros is read in less than 1 s', async () => {
    const zeros = '0'.repeat(100_000);
    const read = () => expect(plainDigits(`0.${zeros}1e5`)).toBe(`0.${zeros.slice(5)}1`);
    expect(await processorMs(read)).toBeLessThan(1000);
  });
});
