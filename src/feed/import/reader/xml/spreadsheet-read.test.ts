import { describe, expect, test } from 'vitest';
import { importContent, type FixtureOptions } from '#feed/import/reader/import-fixture.ts';

const head =
  '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet" xmlns:x="urn:schemas-microsoft-com:office:excel"><Styles><Style ss:ID="s1" ss:Name="a"/><Style ss:ID="s2" ss:Name="b"/></Styles>';

const cell = (text: string, type = 'String', more = '') => `<Cell${more}><Data ss:Type="${type}">${text}</Data></Cell>`;
const row = (cells: string, more = '') => `<Row${more}>${cells}</Row>`;
const sheet = (name: string, rows: string, more = '') =>
  `<Worksheet ss:Name="${name}"><Table ss:ExpandedColumnCount="4"><Column ss:Width="9"/>${rows}</Table>${more}</Worksheet>`;
const header = row(cell('sku') + cell('name') + cell('preis') + cell('stand'));

async function importSheets(sheets: string, options: FixtureOptions = {}) {
  const imported = await importContent(`${head}${sheets}</Workbook>`, { name: 'artikel.xls', ...options });
  const { result } = imported;
  return { ...imported, names: result.ok ? result.fields.map(({ name }) => name) : [] };
}

describe('XML spreadsheets of Excel 2003', () => {
  test('reads cells by type and position, as in a workbook', async () => {
    const { names, rows, result } = await importSheets(
      sheet(
        'Artikel',
        [
          header,
          row(cell('007') + cell('Kanne &amp; Co&#10;neu') + cell('3.4986000000000002', 'Number')),
          row(cell('8', 'String') + cell('2026-01-31T00:00:00.000', 'DateTime', ' ss:Index="4"'), ' ss:Index="9"'),
          row(cell('9', 'Number', ' ss:MergeAcross="1"') + cell('1.5', 'Number') + cell('1', 'Boolean')),
          row(
            `${cell('10')}<Cell><ss:Data ss:Type="String"><B>fett</B> x</ss:Data><Comment><ss:Data>nein</ss:Data></Comment></Cell>`,
          ),
          row(cell('11') + cell('1899-12-31T08:30:00.000', 'DateTime') + cell('2026-01-31T08:30:00.000', 'DateTime')),
        ].join(''),
      ),
    );
    expect(names).toEqual(['sku', 'name', 'preis', 'stand']);
    expect(rows).toEqual([
      ['007', 'Kanne & Co\nneu', '3.4986', ''],
      ['8', '', '', '2026-01-31'],
      ['9', '', '1.5', 'true'],
      ['10', 'fett x', '', ''],
      ['11', '08:30:00', '2026-01-31T08:30:00', ''],
    ]);
    expect(result).toMatchObject({
      format: { format: 'xlsx', sheet: 'Artikel', header: true },
      warnings: expect.arrayContaining([expect.objectContaining({ code: 'spreadsheet_xml' })]),
    });
  });

  test('uses the first visible sheet with rows, or the chosen one, and lists all sheets', async () => {
    const hidden = '<x:WorksheetOptions><x:Visible>SheetHidden</x:Visible></x:WorksheetOptions>';
    const one = (sku: string) => header + row(cell(sku));
    const sheets =
      sheet('Alt', one('1'), hidden) + sheet('Leer', '') + sheet('Neu', one('2')) + sheet('Mehr', one('3'));
    const first = await importSheets(sheets);
    expect(first.rows).toEqual([['2', '', '', '']]);
    expect(first.result).toMatchObject({ format: { sheet: 'Neu', sheets: ['Alt', 'Leer', 'Neu', 'Mehr'] } });
    expect((await importSheets(sheets, { options: { sheet: 'Alt' } })).rows).toEqual([['1', '', '', '']]);
    expect((await importSheets(sheets, { options: { sheet: 4 } })).rows).toEqual([['3', '', '', '']]);
    const missing = await importSheets(sheets, { options: { sheet: 'Fehlt' } });
    expect(missing.result).toMatchObject({ ok: false, code: 'sheet_missing' });
  });

  test('I8: a cover sheet of several rows is skipped for the sheet with the items, as in a workbook', async () => {
    const cover = sheet('Deckblatt', row(cell('Preisliste 2026')) + row(cell('Stand') + cell('01.01.2026')));
    const articles = sheet('Artikel', header + row(cell('A1') + cell('Kanne')) + row(cell('A2') + cell('Besen')));
    const { rows, result } = await importSheets(cover + articles);
    expect(rows.map(([sku]) => sku)).toEqual(['A1', 'A2']);
    expect(result).toMatchObject({
      format: { sheet: 'Artikel' },
      warnings: expect.arrayContaining([expect.objectContaining({ code: 'sheet_without_items' })]),
    });
    const alone = await importSheets(cover);
    expect(alone.result).toMatchObject({ accepted: 0, format: { sheet: 'Deckblatt' } });
  });

  test.each([
    ['a workbook without rows', sheet('Leer', ''), 'empty'],
    ['too many columns', sheet('A', row(cell('x', 'String', ' ss:Index="20000"'))), 'too_many_columns'],
    ['a truncated file', sheet('A', header).replace('</Table></Worksheet>', '<Row>'), 'xml_syntax'],
  ])('refuses %s', async (_, sheets, code) => {
    const { result, leftovers } = await importSheets(sheets);
    expect(result).toMatchObject({ ok: false, code });
    expect(leftovers).toEqual([]);
  });
});
