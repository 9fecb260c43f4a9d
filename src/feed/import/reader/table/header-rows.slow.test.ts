import { describe, expect, test } from 'vitest';
import { importContent, type FixtureOptions } from '#feed/import/reader/import-fixture.ts';
import { sheetRows, workbook } from '#feed/import/reader/xlsx/workbook-fixture.ts';

async function read(lines: readonly string[], options: FixtureOptions = {}) {
  const found = await importContent(`${lines.join('\n')}\n`, options);
  if (!found.result.ok) throw new Error(found.result.message);
  const { fields, warnings, ...result } = found.result;
  return {
    ...found,
    result,
    names: fields.map(({ name }) => name),
    guesses: fields.map(({ guess }) => guess),
    codes: warnings.map(({ code }) => code),
  };
}

const labels = 'Verkäufer-SKU\tProduktname\tPreis\tBestand';
const technical = 'item_sku\titem_name\tstandard_price\tquantity';
const shirts = ['A1\tHemd\t19.99\t5', 'A2\tHose\t29.99\t7', 'A3\tSchal\t9.99\t0'];

describe('a second line of names below the header', () => {
  test.each([
    [
      [labels, technical],
      ['Verkäufer-SKU', 'Produktname', 'Preis', 'Bestand'],
    ],
    [
      [technical, labels],
      ['item_sku', 'item_name', 'standard_price', 'quantity'],
    ],
    [
      ['TemplateType=fptcustom\tVersion=2021\tTemplateSignature=Q0x=\tsettings=x', labels, technical],
      ['Verkäufer-SKU', 'Produktname', 'Preis', 'Bestand'],
    ],
    [
      ['TemplateType=fptcustom\tVersion=2021\t\t', labels, technical],
      ['Verkäufer-SKU', 'Produktname', 'Preis', 'Bestand'],
    ],
    [
      [
        'settings=labels=4&attributeRow=5&dataRow=7\t\t\t',
        labels,
        'contribution_sku#1.value\titem_name[marketplace_id=A1][language_tag=de_DE]#1.value\toffer[audience=ALL]#1.our_price#1.value\tstock#1.quantity',
      ],
      ['Verkäufer-SKU', 'Produktname', 'Preis', 'Bestand'],
    ],
  ])("as in Amazon's templates, is not an item and causes a warning: %j", async (head, names) => {
    for (const way of ['fast', 'exact'] as const) {
      const found = await read([...head, ...shirts], { way });
      expect(found.names).toEqual(names);
      expect(found.ids).toEqual(['A1', 'A2', 'A3']);
      expect(found.guesses.slice(2)).toEqual(['price', 'integer']);
      expect(found.codes).toContain('second_header');
      expect(found.result).toMatchObject({ rowsIn: 3, accepted: 3, rejected: 0 });
    }
    const table = [...head, ...shirts].map((line) => `<tr><td>${line.split('\t').join('</td><td>')}</td></tr>`);
    expect((await read([`<table>${table.join('')}</table>`])).ids).toEqual(['A1', 'A2', 'A3']);
  });

  test('I8: a first item with words where later items have numbers is accepted', async () => {
    for (const lines of [
      ['sku;name;preis;bestand', 'A1;Kanne;auf Anfrage;nicht lieferbar', 'A2;Besen;3,50;7', 'A3;Topf;9,90;2'],
      ['item_sku;item_name;code;art', 'a_1;kanne_rot;x_1;y_1', 'a_2;kanne_blau;x_2;y_2', 'a_3;topf;x_3;y_3'],
    ]) {
      const found = await read(lines);
      expect([found.result.accepted, found.codes]).toEqual([3, []]);
    }
  });
});

describe('a row of units below the header', () => {
  const items = ['A1;Kanne;1,5;100;9,90', 'A2;Besen;2,5;200;3,50', 'A3;Topf;1,1;300;12,00'];
  const header = 'sku;name;gewicht;breite;preis';

  test.each([';;kg;mm;EUR', ';;[kg];(mm);in €', 'Einheit;-;KG;Millimeter;', ' ; ;kg;;', '[Units];;kg;mm;USD'])(
    'is not an item and causes a warning: %j',
    async (units) => {
      for (const way of ['fast', 'exact'] as const) {
        const found = await read([header, units, ...items], { way });
        expect(found.ids).toEqual(['A1', 'A2', 'A3']);
        expect(found.guesses).toEqual(['text', 'text', 'number', 'integer', 'price']);
        expect([found.result.rowsIn, found.codes]).toEqual([3, ['unit_row']]);
      }
    },
  );

  test.each(['A0;Seil;kg;mm;EUR', 'kg;;1;100;9', ';Meter;kg;mm;EUR', ';;leicht;mm;EUR', 'A0;;m;;', ';;;;'])(
    'a row that may be an item is accepted: %j',
    async (row) => {
      const found = await read([header, row, ...items]);
      expect([found.result.rowsIn, found.codes.includes('unit_row')]).toEqual([4, false]);
    },
  );

  test.each([
    ['Größe;Bestand', 'L;', '38;5', '40;3'],
    ['Code;Bestand;Preis', 'KG;;', '1;5;3,50', '2;7;4,50'],
    ['Farbe;Größe;Bestand', ';L;', 'rot;38;5', 'blau;40;3'],
    ['Bestand;Artikelnummer', ';DB', '5;100', '7;101'],
    ['Artikel;Preis', 'PA;', '10;5', '12;7'],
    ['name;Artikel Nr;lager', ';DB;', 'x;1;5', 'y;2;5'],
  ])('a row whose number or size looks like a unit is accepted: %s, %s', async (...lines) => {
    const found = await read(lines);
    expect([found.result.rowsIn, found.codes.includes('unit_row')]).toEqual([3, false]);
  });

  test('units above text columns and sizes in letters are values', async () => {
    for (const lines of [
      ['name;farbe;größe', ';;L', 'Hemd;rot;M', 'Hose;blau;S'],
      ['name;menge;einheit', ';;kg', 'Mehl;1;kg', 'Milch;2;l'],
    ])
      expect((await read(lines)).codes).not.toContain('unit_row');
    const found = await read([header, ';;kg;mm;EUR', ...items], { options: { skipLines: 0 } });
    expect([found.result.rowsIn, found.codes.includes('unit_row')]).toEqual([4, false]);
  });
});

describe('a row below the header that looks like no item', () => {
  const header = 'sku;name;price;stock';
  const items = ['A1;Kanne;1,50;5', 'A2;Besen;3,50;7', 'A3;Topf;9,90;2'];

  test.each([
    'Artikelnummer;Bezeichnung;Preis;Bestand',
    'string;string;decimal;integer',
    'Pflicht;Pflicht;Pflicht;',
    '---;---;---;---',
    '(eindeutig);(max. 80 Zeichen);(EUR);(Stück)',
  ])('stays an item, and a warning tells how to pass over it: %j', async (row) => {
    for (const way of ['fast', 'exact'] as const) {
      const found = await read([header, row, ...items], { way });
      expect([found.result.accepted, found.ids[0], found.codes]).toEqual([4, row.split(';')[0], ['odd_first_row']]);
    }
    const second = await read([header, row, ...items], { options: { skipLines: 1 } });
    expect([second.result.accepted, second.codes.includes('odd_first_row')]).toEqual([3, false]);
  });

  const odd = 'Artikelnummer;Bezeichnung;Preis;Bestand';
  const sheet = [[], [], [], header.split(';'), odd.split(';'), ['A1', 'Kanne', 1.5, 5], ['A2', 'Besen', 3.5, 7]];
  const rows = `${[odd, ...items].join('\n')}\n`;
  test.each([
    ['blank lines above the header', `\n\n${header}\n${rows}`, 3],
    ['a line that names the delimiter', `sep=;\n${header}\n${rows}`, 2],
    ['a header cell with a line break', `sku;"na\nme";price;stock\n${rows}`, 2],
    [
      'a sheet with its header in row 4',
      workbook([{ name: 'A', rows: sheetRows([...sheet, ['A3', 'Topf', 9.9, 2]]) }]),
      4,
    ],
    [
      'an HTML table',
      `<table>${[header, odd, ...items].map((line) => `<tr><td>${line.replaceAll(';', '</td><td>')}</td></tr>`).join('')}</table>`,
      1,
    ],
  ])('the number of lines that the warning names skips it: %s', async (_, content, lines) => {
    const found = (await importContent(content)).result;
    const text = found.ok ? found.warnings.find(({ code }) => code === 'odd_first_row')?.message : found.message;
    const number = Number(/„Zeilen überspringen“ (\d+) an/u.exec(text ?? '')?.[1]);
    const second = (await importContent(content, { options: { skipLines: number } })).result;
    expect([number, second.ok && second.accepted]).toEqual([lines, 3]);
  });

  test.each([
    'A0;Seil;auf Anfrage;ausverkauft',
    'MUSTER;Seil;auf Anfrage;2',
    ';Seil;;',
    'MUSTER;Seil;;',
    '1;Artikelname;Preis;Bestand',
  ])('an item with words or gaps where others have numbers causes no warning: %j', async (row) => {
    expect((await read([header, row, ...items])).codes).not.toContain('odd_first_row');
  });

  test('a table of two items, or one without numbers, causes no warning', async () => {
    for (const lines of [
      [header, 'MUSTER;Seil;a;b', 'A1;Kanne;1;5'],
      ['name;farbe;form', 'Hemd;rot;lang', 'Hose;blau;kurz', 'Rock;grün;kurz'],
    ])
      expect((await read(lines)).codes).not.toContain('odd_first_row');
  });
});

describe('rows for single store views of Magento', () => {
  const own = (head: string, rows: readonly string[]) => read([head, ...rows]);

  test('are told, since they hold only some values of an item', async () => {
    const now = await own('sku,store_view_code,product_type,name,price', [
      'M1,,simple,Bag,5.00',
      'M1,de,,Tasche,',
      'M2,,simple,Hat,6.00',
      'M2,de,,Hut,',
    ]);
    expect([now.result.accepted, now.codes]).toEqual([4, expect.arrayContaining(['store_views'])]);
    const old = await own('sku,_store,_attribute_set,_type,name,price', [
      'M1,,Default,simple,Bag,5.00',
      ',de,,,Tasche,',
      'M2,,Default,simple,Hat,6.00',
      ',de,,,Hut,',
    ]);
    expect(old.codes).toContain('store_views');
  });

  test('an export of one view, and another column of such a name, are not', async () => {
    const one = await own('sku,store_view_code,product_type,name', ['M1,de,simple,Tasche', 'M2,de,simple,Hut']);
    expect(one.codes).toEqual([]);
    const stores = await own('sku,store,name', ['M1,,Bag', 'M2,Berlin,Hat', 'M3,Bonn,Cap']);
    expect(stores.codes).toEqual([]);
  });
});

describe('a header in the middle of a table', () => {
  const lines = ['sku;name;preis', '1;Kanne;1', '2;Besen;2', 'sku;name;preis', '3;Topf;3', '4;Eimer;4'];

  test('is rejected with the reason, as in concatenated exports', async () => {
    for (const way of ['fast', 'exact'] as const) {
      const found = await read(lines, { way });
      expect(found.ids).toEqual(['1', '2', '3', '4']);
      expect(found.result).toMatchObject({ key: 'sku', rowsIn: 5, accepted: 4, rejected: 1 });
      expect(found.rejected).toEqual([
        { kind: 'rejected', line: 4, reason: expect.stringContaining('Kopfzeile'), raw: 'sku;name;preis' },
      ]);
    }
  });

  test('is also recognised with a byte order mark before it', async () => {
    for (const way of ['fast', 'exact'] as const) {
      const found = await read(lines.with(3, '\ufeffsku;name;preis'), { way });
      expect([found.ids, found.result.rejected]).toEqual([['1', '2', '3', '4'], 1]);
    }
  });

  test('a row that differs from the header in one cell, or in a table of one column, is an item', async () => {
    expect((await read(lines.with(3, 'sku;name;9'))).result.accepted).toBe(5);
    expect((await read(['Farbe', 'rot', 'Farbe', 'blau'])).result.accepted).toBe(3);
    expect((await read(lines, { options: { header: false } })).result.accepted).toBe(6);
  });
});

describe('rows that consist of delimiters only', () => {
  test('are rejected, as Excel writes them for empty rows, and do not cost the table its key', async () => {
    for (const way of ['fast', 'exact'] as const) {
      const found = await read(['sku;name;preis', '1;a;1', ';;', '2;b;2', ';;', ' ; ;'], { way });
      expect(found.result).toMatchObject({ key: 'sku', rowsIn: 5, accepted: 2, rejected: 3 });
      expect(found.rejected.map(({ line, reason }) => [line, reason])).toEqual(
        [3, 5, 6].map((line) => [line, expect.stringContaining('keinen Wert')]),
      );
    }
  });

  test('an empty cell in a table of one column is an item', async () => {
    expect((await read(['sku', '"A1"', '""', '"A2"'])).result).toMatchObject({ accepted: 3, rejected: 0 });
  });
});

describe('lost column names', () => {
  test.each([[['sku;name;preis', '1,a,9.90', '2,b,8.90', '3,c,7.90']], [['sku', '1;a;9,90', '2;b;8,90']]])(
    'cause a warning if the line above the items was skipped as a title: %j',
    async (lines) => {
      const found = await read(lines);
      expect(found.names).toEqual(['Spalte 1', 'Spalte 2', 'Spalte 3']);
      expect(found.codes).toContain('no_header');
    },
  );
});

describe('a table with other rows than items at its end', () => {
  const items = Array.from({ length: 7 }, (_, index) => `0${index + 1};Nagel ${index};1,50;100`);
  const table = ['Art.-Nr.;Bezeichnung;Preis;Bestand', ...items];

  test.each([[[';Summe;10,50;700']], [['Gesamt:;;10,50;700']], [['', 'Erstellt am 01.01.2026 von ERP']], [['# Ende']]])(
    'keeps such a row, with a warning: %j',
    async (end) => {
      for (const way of ['fast', 'exact'] as const) {
        const found = await read([...table, ...end], { way });
        expect(found.result.accepted).toBe(8);
        expect(found.codes).toContain('last_rows_odd');
      }
    },
  );

  test('an item at the end causes no warning', async () => {
    for (const end of ['08;Summenzeichen;;', '08;;1,50;', '08;Gesamtkatalog;1;1', '08'])
      expect((await read([...table, end])).codes).not.toContain('last_rows_odd');
    expect((await read(['Marke', 'Gesamt', 'Nord'])).codes).not.toContain('last_rows_odd');
    const wide = `Name;${Array.from({ length: 9 }, (_, index) => `Merkmal ${index + 1}`).join(';')};Preis`;
    const lamp = (name: string) => `${name}${';'.repeat(10)}9,90`;
    const lamps = [wide, ...['Lampe Nord', 'Lampe Süd', 'Lampe Ost für innen'].map(lamp)];
    expect((await read(lamps)).codes).not.toContain('last_rows_odd');
  });
});
