import { describe, expect, test } from 'vitest';
import { importContent } from '#feed/import/reader/import-fixture.ts';
import { sheetRows, workbook } from './workbook-fixture.ts';

type Rows = Parameters<typeof sheetRows>[0];

async function read(rows: Rows, more: { behind?: string; styles?: string; change?: (rows: string) => string } = {}) {
  const { change = (text: string) => text, styles, ...sheet } = more;
  const book = workbook([{ name: 'A', rows: change(sheetRows(rows)), ...sheet }], styles ? { styles } : {});
  const found = await importContent(book, { name: 'artikel.xlsx' });
  if (!found.result.ok) throw new Error(found.result.message);
  const { warnings, fields } = found.result;
  return { rows: found.rows, warnings, guesses: fields.map(({ guess }) => guess) };
}

const articles: Rows = [
  ['sku', 'preis', 'marke'],
  ['A1', 1.5, 'Nord'],
  ['A2', 2.5, 'Süd'],
  ['A3', 3.5, 'West'],
];

describe('sheet contents that the cell values do not show', () => {
  test('I8: formulas without a value are empty, with a warning; a formula with an empty text is not reported', async () => {
    const { rows, warnings } = await read([
      ['sku', 'netto', 'brutto', 'notiz'],
      ['A1', 1, '<c r="C2"><f>B2*1.19</f></c>', '<c r="D2" t="str"><f>""</f><v></v></c>'],
      ['A2', 2, '<c r="C3"><f>B3*1.19</f><v></v></c>', 'x'],
    ]);
    expect(rows.map((row) => row[2])).toEqual(['', '']);
    expect(warnings).toEqual([{ code: 'formulas_empty', message: expect.stringMatching(/2 Zellen.*C2/u) }]);
  });

  test('errors of formulas are reported', async () => {
    const { rows, warnings } = await read([
      ['sku', 'preis'],
      ['A1', '<c r="B2" t="e"><f>1/0</f><v>#DIV/0!</v></c>'],
      ['A2', 2],
    ]);
    expect(rows[0]).toEqual(['A1', '#DIV/0!']);
    expect(warnings).toEqual([{ code: 'excel_errors', message: expect.stringMatching(/#DIV\/0!.*B2/u) }]);
  });

  test('numbers displayed with leading zeros keep them, so `00011` is unchanged', async () => {
    const styles =
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="00000"/><numFmt numFmtId="165" formatCode="0000000000000"/><numFmt numFmtId="166" formatCode="00.00"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/></cellXfs></styleSheet>';
    const { rows, warnings } = await read(
      [
        ['sku', 'ean', 'preis'],
        [
          '<c r="A2" s="1"><v>11</v></c>',
          '<c r="B2" s="2"><v>4.2012345678E10</v></c>',
          '<c r="C2" s="3"><v>1.5</v></c>',
        ],
        ['<c r="A3" s="1"><v>123456</v></c>', '<c r="B3" s="1"><v>-7</v></c>', '<c r="C3" s="1"><v>1.5</v></c>'],
      ],
      { styles },
    );
    expect(rows).toEqual([
      ['00011', '0042012345678', '1.5'],
      ['123456', '-7', '1.5'],
    ]);
    expect(warnings).toEqual([]);
  });

  test('numbers displayed with a letter prefix are item numbers, except amounts and quantities', async () => {
    const codes = [
      '&quot;ART-&quot;0000',
      String.raw`\A\B0000`,
      '&quot;X-&quot;0',
      '&quot;EUR &quot;0',
      '&quot;ca.&quot;0',
      '0&quot; kg&quot;',
    ];
    const formats = codes.map((code, index) => `<numFmt numFmtId="${170 + index}" formatCode="${code}"/>`).join('');
    const styles = `<styleSheet><numFmts>${formats}</numFmts><cellXfs>${codes.map((_, index) => `<xf numFmtId="${170 + index}"/>`).join('')}</cellXfs></styleSheet>`;
    const cells = (row: number, value: string) =>
      ['A', 'B', 'C', 'D', 'E', 'F'].map((column, index) => `<c r="${column}${row}" s="${index}"><v>${value}</v></c>`);
    const { rows } = await read(
      [['sku', 'b', 'c', 'd', 'e', 'f'], cells(2, '12'), cells(3, '1.5'), cells(4, '123456')],
      { styles },
    );
    expect(rows).toEqual([
      ['ART-0012', 'AB0012', 'X-12', '12', '12', '12'],
      ['1.5', '1.5', '1.5', '1.5', '1.5', '1.5'],
      ['ART-123456', 'AB123456', 'X-123456', '123456', '123456', '123456'],
    ]);
  });

  test('hidden rows are read, with a warning', async () => {
    const { rows, warnings } = await read(articles, { change: (text) => text.replace('r="3"', 'r="3" hidden="1"') });
    expect(rows).toHaveLength(3);
    expect(warnings).toEqual([{ code: 'hidden_rows', message: expect.stringMatching(/ist Zeile 3 ausgeblendet/u) }]);
  });

  test('cells merged over several rows have their value in the first, with a warning', async () => {
    const merged = (refs: string) => ({ behind: `<mergeCells>${refs}</mergeCells>` });
    const { warnings } = await read(articles, merged('<mergeCell ref="C2:C4"/><mergeCell ref="A1:B1"/>'));
    expect(warnings).toEqual([{ code: 'merged_cells', message: expect.stringMatching(/C2:C4/u) }]);
    expect((await read(articles, merged('<mergeCell ref="A1:B1"/><mergeCell ref="D1:E1"/>'))).warnings).toEqual([]);
  });

  test('a skipped sheet causes no warnings of its own', async () => {
    const cover = sheetRows([['Stand', '<c r="B1"><f>TODAY()</f></c>']]);
    const { result } = await importContent(
      workbook([
        { name: 'Deckblatt', rows: cover },
        { name: 'A', rows: sheetRows(articles) },
      ]),
    );
    expect(result).toMatchObject({ ok: true, warnings: [{ code: 'sheet_without_items' }] });
  });

  test('I8: a missing shared text causes a warning; a cell without an index of a text is empty', async () => {
    const rows = sheetRows([
      ['sku', 'name'],
      ['A1', '<c r="B2" t="s"><v>7</v></c>'],
      ['A2', '<c r="B3" t="s"/>'],
      ['A3', '<c r="B4" t="s"><v>0</v></c>'],
    ]);
    const found = await importContent(workbook([{ name: 'A', rows }], { strings: '<sst><si><t>Kanne</t></si></sst>' }));
    expect(found.rows.map((row) => row[1])).toEqual(['', '', 'Kanne']);
    expect(found.result).toMatchObject({
      warnings: [{ code: 'texts_missing', message: expect.stringContaining('einer Zelle fehlt der Text (zuerst B2)') }],
    });
  });
});
