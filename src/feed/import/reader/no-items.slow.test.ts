import { describe, expect, test } from 'vitest';
import { importContent } from './import-fixture.ts';
import { sheetRows, workbook } from '#feed/import/reader/xlsx/workbook-fixture.ts';

const articles = sheetRows([
  ['sku', 'name', 'preis'],
  ['A1', 'Kanne', 9.9],
  ['A2', 'Besen', 3.5],
]);

describe('files that would empty a catalogue', () => {
  test('I8: a cover sheet without items is skipped for the sheet that has them, with a warning', async () => {
    const cover = sheetRows([['Preisliste 2026'], ['Stand', '01.01.2026']]);
    const { result, rows } = await importContent(
      workbook([
        { name: 'Deckblatt', rows: cover },
        { name: 'Artikel', rows: articles },
      ]),
    );
    expect(rows.map(([sku]) => sku)).toEqual(['A1', 'A2']);
    expect(result).toMatchObject({
      ok: true,
      format: { sheet: 'Artikel' },
      fields: [{ name: 'sku' }, { name: 'name' }, { name: 'preis' }],
      warnings: [{ code: 'sheet_without_items', message: expect.stringContaining('„Deckblatt“') }],
    });
  });

  test('a sheet with only a header is read if no other has items, or if it was chosen', async () => {
    const header = sheetRows([['sku', 'name']]);
    const alone = await importContent(workbook([{ name: 'A', rows: header }]));
    expect(alone.result).toMatchObject({ ok: true, accepted: 0, format: { sheet: 'A' }, fields: [{}, {}] });
    const sheets = workbook([
      { name: 'A', rows: header },
      { name: 'B', rows: articles },
    ]);
    const named = await importContent(sheets, { options: { sheet: 'A' } });
    expect(named.result).toMatchObject({ ok: true, accepted: 0, format: { sheet: 'A' }, fields: [{}, {}] });
  });

  test('XML whose root element is called table is not HTML', async () => {
    const { result, rows } = await importContent(
      '<table name="artikel"><row><sku>1</sku><name>Käse</name></row><row><sku>2</sku><name>Öl</name></row></table>',
    );
    expect(result).toMatchObject({ ok: true, format: { format: 'xml', element: 'table/row' } });
    expect(rows).toEqual([
      ['1', 'Käse'],
      ['2', 'Öl'],
    ]);
  });

  test.each([
    '<?xml version="1.0"?><error><code>500</code><message>Fehler</message></error>',
    '<response><status>failed</status><error>Token abgelaufen</error></response>',
    '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><s:Fault><faultcode>s:Server</faultcode><faultstring>x</faultstring></s:Fault></s:Body></s:Envelope>',
    'Fatal error: Allowed memory size of 134217728 bytes exhausted\n',
    'Access denied',
    '401 Unauthorized\r\n',
    'Error: invalid token\n',
    'Fehler beim Erstellen des Exports\n',
  ])('I8: an error message in the place of a catalogue is refused: %s', async (text) => {
    const { result } = await importContent(text);
    expect(result).toMatchObject({ ok: false, message: expect.stringContaining('Fehlermeldung') });
  });

  test.each([
    ['sku;error\n1;x\n2;y\n', 2],
    ['Fehlernummer\nA1\nA2\n', 2],
    ['Name\n500 Blatt Papier\n', 1],
    ['500 Blatt Papier\nBleistift\n', 1],
    ['Error 404 Shirt\nTasse\n', 1],
    ['<products><errors/><product><sku>1</sku><name>a</name></product></products>', 1],
    ['<products><errors/></products>', 0],
  ])('a catalogue that contains such words is not refused as an error message: %j', async (text, items) => {
    expect((await importContent(text)).result).toMatchObject({ ok: true, accepted: items });
  });

  test('a header without items causes the warning no_items', async () => {
    const { result } = await importContent('sku;name;preis\n');
    expect(result).toMatchObject({ ok: true, accepted: 0, warnings: [{ code: 'no_items' }] });
  });
});

describe('items that are not imported', () => {
  test('on other visible sheets cause a warning, but not on sheets without cells', async () => {
    const other = sheetRows([['sku'], ['A3'], ['A4']]);
    const { result } = await importContent(
      workbook([
        { name: 'Shirts', rows: articles },
        { name: 'Tabelle2', rows: '' },
        { name: 'Hosen', rows: other },
        { name: 'Alt', rows: other, state: 'hidden' },
      ]),
    );
    expect(result).toMatchObject({ ok: true, format: { sheet: 'Shirts' } });
    expect(result.ok && result.warnings).toEqual([
      { code: 'sheets_left', message: expect.stringMatching(/„Shirts“.*: „Hosen“\./u) },
    ]);
  });

  test('on other sheets cause no warning if the sheet was chosen', async () => {
    const book = workbook([
      { name: 'A', rows: articles },
      { name: 'B', rows: articles },
    ]);
    const { result } = await importContent(book, { options: { sheet: 'B' } });
    expect(result).toMatchObject({ ok: true, warnings: [] });
  });

  test.each([
    [
      '<shop><book><isbn>1</isbn><t>a</t></book><dvd><isbn>2</isbn><t>b</t></dvd><book><isbn>3</isbn><t>c</t></book></shop>',
      'shop/dvd',
    ],
    [
      '<export><products><product><id>1</id><n>a</n></product><product><id>2</id><n>b</n></product></products><offers><offer><id>1</id><p>1</p></offer><offer><id>2</id><p>1</p></offer><offer><id>3</id><p>1</p></offer></offers></export>',
      'export/products/product',
    ],
  ])('in other XML elements cause a warning: %s', async (text, left) => {
    const { result } = await importContent(text);
    expect(result.ok && result.warnings).toContainEqual({
      code: 'xml_others_left',
      message: expect.stringContaining(`„${left}“`),
    });
  });

  test('a text in front of an XML document is refused with it', async () => {
    const { result } = await importContent(
      'Notice: x\n<?xml version="1.0"?><items><item><sku>1</sku></item><item><sku>2</sku></item></items>',
    );
    expect(result).toMatchObject({ ok: false, code: 'xml_syntax' });
  });

  test('a cover sheet of an XML spreadsheet is skipped too', async () => {
    const sheet = (name: string, rows: string) =>
      `<Worksheet ss:Name="${name}"><Table>${rows.replaceAll(/\w+/gu, '<Row><Cell><Data ss:Type="String">$&</Data></Cell></Row>')}</Table></Worksheet>`;
    const head =
      '<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">';
    const { result } = await importContent(
      `${head}${sheet('Deckblatt', 'Preisliste')}${sheet('B', 'sku A1 A2')}</Workbook>`,
    );
    expect(result).toMatchObject({ ok: true, accepted: 2, format: { sheet: 'B' } });
  });
});

describe('items without any value', () => {
  test.each([
    [
      'artikel.json',
      '[{"sku":"A1","name":"x"},\n{},\n{"sku":"","name":null,"bilder":[]},\n{"sku":"A2","name":"y"}]',
      [2, 3],
    ],
    ['artikel.jsonl', '{"sku":"A1","name":"x"}\n{}\n{"sku":" ","name":{}}\n{"sku":"A2","name":"y"}\n', [2, 3]],
    [
      'artikel.xml',
      '<items><item><sku>A1</sku><name>x</name></item>\n<item/>\n<item><sku/><name> </name></item>\n<item><sku>A2</sku><name>y</name></item></items>',
      [2, 3],
    ],
  ])('are rejected as empty rows of a table are, and do not cost the key: %s', async (name, content, lines) => {
    const { result, ids, rejected } = await importContent(content, { name });
    expect(ids).toEqual(['A1', 'A2']);
    expect(result).toMatchObject({ ok: true, key: 'sku', rowsIn: 4, accepted: 2, rejected: 2, warnings: [] });
    expect(rejected.map(({ line, reason }) => [line, reason])).toEqual(
      lines.map((line) => [line, expect.stringContaining('keinen Wert')]),
    );
  });

  test('are accepted if their key is outside, or if items have a single field', async () => {
    const keyed = await importContent('{"products":{"A1":{"sku":"x"},"A2":{},"A3":{"sku":"y"}}}', { name: 'a.json' });
    expect(keyed.result).toMatchObject({ ok: true, accepted: 3, rejected: 0 });
    const plain = await importContent('<items><item>A1</item><item/><item>A2</item></items>', { name: 'a.xml' });
    expect(plain.result).toMatchObject({ ok: true, accepted: 3, rejected: 0 });
  });
});
