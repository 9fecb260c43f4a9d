import { expect, test } from 'vitest';
import { readList } from './read-list.ts';

const read = (text: string) => readList(new TextEncoder().encode(text));
const names = (text: string) => read(text).entries.map(({ id, name }) => [id, name]);

test('CAT-11 comments and a sep= line above a table are not entries', () => {
  const animals = [
    ['1', 'Tiere'],
    ['2', 'Tiere > Hunde'],
  ];
  expect(names('# Version 2025-01\n\nid;path\n1;Tiere\n2;Tiere > Hunde\n')).toEqual(animals);
  expect(names('sep=;\r\nid;path\r\n1;Tiere\r\n2;Tiere > Hunde\r\n')).toEqual(animals);
  // The first title may be empty: the header then begins with its tab.
  expect(names('\tName\tID\nx\tTiere\t1\n')).toEqual([['1', 'Tiere']]);
  // Below the header it is a value.
  expect(names('id;path\n1;Tiere\n#2;Tiere > Hunde\n').at(-1)).toEqual(['#2', 'Tiere > Hunde']);
});

test('CAT-11 a line with # that may be a header or an entry is kept; omitted lines cause a warning', () => {
  expect(names('# id,name,parent\n1,Tiere,\n2,Hunde,1\n')).toEqual([
    ['1', 'Tiere'],
    ['2', 'Tiere > Hunde'],
  ]);
  expect(names('#\tName\tParent\n1\tTiere\t\n2\tHunde\tTiere\n').at(-1)).toEqual(['Hunde', 'Tiere > Hunde']);
  expect(names('# 1;Rot\n2;Blau\n')).toEqual([
    ['# 1', 'Rot'],
    ['2', 'Blau'],
  ]);
  for (const brands of ['# Hashtag\nNike\nAdidas\n', '# Hashtag\nDolce, Gabbana\nNike\nAdidas\n']) {
    expect(names(brands)[0]).toEqual(['# Hashtag', '# Hashtag']);
    expect(read(brands).warnings).toEqual([]);
  }
  expect(read('# Stand: 1\n\n# Quelle: a, b\nsep=,\nid,name\n1,Rot\n')).toEqual({
    entries: [{ id: '1', name: 'Rot', info: '' }],
    warnings: [expect.stringContaining('„# Stand: 1“, „# Quelle: a, b“')],
  });
  expect(read('# Hashtag > Taschen\nMode\nMode > Hosen\nMode > Hemden\n').warnings).toEqual([
    expect.stringContaining('„# Hashtag > Taschen“'),
  ]);
  expect(read('Mode\nMode > Hosen\n#Hashtag\n#Hashtag > Taschen\n').warnings).toEqual([
    expect.stringContaining('„#Hashtag“, „#Hashtag > Taschen“'),
  ]);
  // If all lines have an id, a line without one is no entry.
  expect(read('# Taxonomie\n1 - Tiere\n2 - Tiere > Hunde\n').warnings).toEqual([]);
  expect(read('# Stand\n1 - Tiere\n#2 - Tiere > Hunde\n').warnings).toEqual([
    expect.stringContaining(': „#2 - Tiere > Hunde“. '),
  ]);
  // Comments that channels themselves write need no warning.
  for (const known of [
    '# Google_Product_Taxonomy_Version: 2021-09-21',
    '# Shopify Product Taxonomy - Categories: 2025-01',
  ])
    for (const list of ['1 - Tiere\n2 - Tiere > Hunde', 'id;name\n1;Tiere\n2;Hunde', 'Tiere\nHunde'])
      expect(read(`${known}\n${list}\n`)).toMatchObject({ entries: { length: 2 }, warnings: [] });
});

test('CAT-11 a list of one column: its heading is omitted with a warning, enclosing quotes are removed', () => {
  const { entries, warnings } = read('Marke\nNike\nAdidas \nAdidas\n');
  expect(entries.map(({ name }) => name)).toEqual(['Nike', 'Adidas']);
  expect(warnings[0]).toContain('„Marke“');
  expect(names('"brand"\n"Nike"\n"Dolce, ""G"""\n')).toEqual([
    ['Nike', 'Nike'],
    ['Dolce, "G"', 'Dolce, "G"'],
  ]);
  // Quotes are removed only if all names are quoted: here they belong to the name.
  expect(names('"Nike"\nAdidas\n')[0]).toEqual(['"Nike"', '"Nike"']);
});

test('CAT-11 levels written only once apply to the rows below them', () => {
  expect(names('ID;L1;L2;L3\n1;Antik;;\n2;;Möbel;\n3;;;Stühle\n4;;Bücher;\n5;Auto;;\n6;;Teile;\n')).toEqual([
    ['1', 'Antik'],
    ['2', 'Antik > Möbel'],
    ['3', 'Antik > Möbel > Stühle'],
    ['4', 'Antik > Bücher'],
    ['5', 'Auto'],
    ['6', 'Auto > Teile'],
  ]);
});

test('CAT-11 a row without any level does not change the levels of the rows below it', () => {
  expect(read('ID;L1;L2\n1;A;B\n2;;\n3;;C\n')).toEqual({
    entries: [
      { id: '1', name: 'A > B', info: '' },
      { id: '3', name: 'A > C', info: '' },
    ],
    warnings: ['1 Zeile ohne Kennung oder Namen wurde ausgelassen.'],
  });
});

test("CAT-11 Google's workbook saved as CSV has no header and one column per level", () => {
  expect(names('1,Tiere,,\n3237,Tiere,Lebende Tiere,\n2,Tiere,Bedarf,\n3,Tiere,Bedarf,"Vögel, klein"\n')).toEqual([
    ['1', 'Tiere'],
    ['3237', 'Tiere > Lebende Tiere'],
    ['2', 'Tiere > Bedarf'],
    ['3', 'Tiere > Bedarf > Vögel, klein'],
  ]);
  // A description of a name is no level.
  expect(read('1;Rot;\n2;Rot;dunkel\n').entries[1]).toEqual({ id: '2', name: 'Rot', info: 'dunkel' });
  expect(read('1;Rot;#ff0000\n2;Blau;#0000ff\n').entries[0]).toEqual({ id: '1', name: 'Rot', info: '#ff0000' });
});

test('CAT-11 a path of ids is resolved to the names of the ancestors', () => {
  expect(names('entity_id,path,name\n2,1/2,Shop\n3,1/2/3,Hosen\n4,1/2/3/4,Jeans\n')).toEqual([
    ['2', 'Shop'],
    ['3', 'Shop > Hosen'],
    ['4', 'Shop > Hosen > Jeans'],
  ]);
});

test('CAT-11 if no column is called a name, a description or a language column is used', () => {
  expect(names('categoryId;parentID;description;position\n3;1;Kleidung;0\n5;3;Hosen;0\n')).toEqual([
    ['3', 'Kleidung'],
    ['5', 'Kleidung > Hosen'],
  ]);
  expect(read('RAL,RGB,HEX,English,German\nRAL 1000,190-189-127,#BEBD7F,Green beige,Grünbeige\n').entries).toEqual([
    { id: 'RAL 1000', name: 'Grünbeige', info: '#BEBD7F' },
  ]);
});

test('CAT-11 JSON: attributes with values, names without ids, and ids with more digits than a number holds', () => {
  const farbe = { id: 'a1', name: 'Farbe', values: [{ id: 'v1', name: 'Schwarz' }] };
  expect(names(JSON.stringify({ version: '2025-01', attributes: [farbe] }))).toEqual([
    ['a1', 'Farbe'],
    ['v1', 'Farbe > Schwarz'],
  ]);
  expect(read('[{"name":"Schwarz","hex":"#000000"},{"name":"Blau","hex":"#0000ff"}]').entries[0]).toEqual({
    id: 'Schwarz',
    name: 'Schwarz',
    info: '#000000',
  });
  expect(names('[{"brand":"Nike","count":3}]')).toEqual([['Nike', 'Nike']]);
  expect(names('[{"id": 12345678901234567890, "name": "A"},{"id": 12345678901234567891, "name": "B"}]')).toEqual([
    ['12345678901234567890', 'A'],
    ['12345678901234567891', 'B'],
  ]);
});

test('CAT-11 JSON: an object of names by id is a list; a single entry, an error or other values are none', () => {
  const tree = [
    ['1', 'Möbel'],
    ['2', 'Garten'],
  ];
  expect(names('{"1":"Möbel","2":"Garten"}')).toEqual(tree);
  expect(names('{"version":"2026","kategorien":{"1":"Möbel","2":"Garten"}}')).toEqual(tree);
  for (const other of [
    '{"1":"Möbel"}',
    '{"1":"Möbel","2":5}',
    '{"name":"Möbel","type":"x"}',
    '{"error":"forbidden","message":"Bitte anmelden"}',
  ])
    expect(() => read(other)).toThrow('keine Einträge mit Kennung und Namen');
});

test('CAT-11 UTF-16 without a byte order mark is decoded', () => {
  const text = 'ID;Name\r\n1;Größe\r\n';
  const little = Buffer.from(text, 'utf16le');
  expect(readList(little).entries).toEqual([{ id: '1', name: 'Größe', info: '' }]);
  expect(readList(Buffer.from(little).swap16()).entries[0]?.name).toBe('Größe');
});
