import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { hasInputData, inputFile, onlyWithInputData } from '../../../test/stages/input-data.ts';
import { readList } from './read-list.ts';

const read = (text: string) => readList(new TextEncoder().encode(text));
const names = (text: string) => read(text).entries.map(({ id, name }) => [id, name]);

test('CAT-11 reads ids with paths in the formats of Google, Shopify and nested sets', () => {
  expect(names('# Version: 1\n537 - Baby\n4678 - Baby > Baby Badebedarf\r\n')).toEqual([
    ['537', 'Baby'],
    ['4678', 'Baby > Baby Badebedarf'],
  ]);
  expect(names('gid://shopify/TaxonomyCategory/ap-1  : Tiere > Lebende Tiere\n')).toEqual([
    ['gid://shopify/TaxonomyCategory/ap-1', 'Tiere > Lebende Tiere'],
  ]);
  expect(names(' 1 | [ 1- 6] | A\n 2 | [ 2- 3] | B\n 3 | [ 4- 5] | C\n 4 | [ 7- 8] | D\n')).toEqual([
    ['1', 'A'],
    ['2', 'A > B'],
    ['3', 'A > C'],
    ['4', 'D'],
  ]);
  expect(names('Haus & Garten\nHaus & Garten > Küche\nHaus & Garten > Küche > Töpfe\n').at(-1)).toEqual([
    'Haus & Garten > Küche > Töpfe',
    'Haus & Garten > Küche > Töpfe',
  ]);
});

test('CAT-11 reads ECLASS and ETIM classes by their column names', () => {
  expect(
    names(
      'Supplier;IdCC;Identifier;CodedName;PreferredName;Level\n0173-1;1;AAA001;21000000;Werkzeug;1\n0173-1;1;AAA002;21040000;Säge > Metall/Holz;2\n',
    ),
  ).toEqual([
    ['21000000', 'Werkzeug'],
    ['21040000', 'Säge > Metall/Holz'],
  ]);
  expect(
    names(
      'ARTCLASSID;ARTGROUPID;ARTCLASSDESC;ARTCLASSVERSION\nEC000001;EG000001;"Kabel; rund";5\nEC000002;EG000001;Klemme;3\n',
    ),
  ).toEqual([
    ['EC000001', 'Kabel; rund'],
    ['EC000002', 'Klemme'],
  ]);
});

test('CAT-11 recognises columns by name: path, parent, levels, or id and name alone', () => {
  expect(names('Klasse_ID;Parent_ID;Klassenbezeichnung\nA;;Werkzeug\nB;A;"Hammer; groß"\n')).toEqual([
    ['A', 'Werkzeug'],
    ['B', 'Werkzeug > Hammer; groß'],
  ]);
  expect(names('category id,category path\n1,A > B\n')).toEqual([['1', 'A > B']]);
  expect(names('Ebene 1;Ebene 2;ID\nA;;1\nA;B;2\n')).toEqual([
    ['1', 'A'],
    ['2', 'A > B'],
  ]);
  expect(names('id,name\n6,Beige\n')).toEqual([['6', 'Beige']]);
  expect(read('name,hex\nAltrosa,#d36e70\n').entries).toEqual([{ id: 'Altrosa', name: 'Altrosa', info: '#d36e70' }]);
  expect(names('hersteller;anzahl\nResult;332\n')).toEqual([['Result', 'Result']]);
});

test.each([
  'id_category',
  'Kategorien-ID',
  'Kategorie-Nr.',
  'Warengruppen-Nr',
  'Node ID',
  'Cat ID',
  'term_id',
  'manufacturer_id',
  'Hersteller-ID',
  'value_id',
  'valueid',
  'Wert-ID',
  'taxonomy_id',
  'Merkmal_ID',
  'categoryId',
  'Farbcode',
])('CAT-11 BRA-02 COL-01 a column called %s holds the ids, and equal names remain two entries', (title) => {
  expect(names(`${title};name\n10;Zubehör\n20;Zubehör\n`)).toEqual([
    ['10', 'Zubehör'],
    ['20', 'Zubehör'],
  ]);
});

test('CAT-11 parents are found by id in tables with other column names, or by a unique name', () => {
  const kaufland =
    'id_category;name;title_plural;id_parent_category\n1;root;;\n22;moebel;Möbel;1\n333;tische;Tische;22\n';
  expect(names(kaufland)).toEqual([
    ['1', 'root'],
    ['22', 'root > moebel'],
    ['333', 'root > moebel > tische'],
  ]);
  expect(names('ID;Kategorie;Oberkategorie\n1;Küche;\n2;Töpfe;Küche\n')).toEqual([
    ['1', 'Küche'],
    ['2', 'Küche > Töpfe'],
  ]);
  expect(names('Node ID,Node Path\n7,Home/Garden > Pots\n')).toEqual([['7', 'Home/Garden > Pots']]);
  expect(names('CategoryID,L1,L2\n20081,Antiques,\n37903,Antiques,Antiquities\n')).toEqual([
    ['20081', 'Antiques'],
    ['37903', 'Antiques > Antiquities'],
  ]);
  expect(names('L1,L2,CategoryID\nAntiques,Antiquities,37903\n')).toEqual([['37903', 'Antiques > Antiquities']]);
});

test('CAT-11 a column with one value in all rows is no id; a column that may hold ids causes a warning', () => {
  expect(names('System-ID;Merkmal_ID;Name\npc;A1;Farbe\npc;A2;Farbe\n')).toEqual([
    ['A1', 'Farbe'],
    ['A2', 'Farbe'],
  ]);
  const { entries, warnings } = read('Bezug;Name\nX-1;Rot\nX-2;Blau\n');
  expect(entries.map(({ id }) => id)).toEqual(['Rot', 'Blau']);
  expect(warnings).toEqual([expect.stringContaining('„Bezug“')]);
  expect(read('hersteller;anzahl\nResult;332\nBosch;332\n').warnings).toEqual([]);
});

test('CAT-11 BRA-02 accepts JSON with other names, arrays of texts and JSON Lines; refuses XML and workbooks with advice', () => {
  const rows = [
    { id_category: 1, title_singular: 'Möbel', id_parent_category: null },
    { id_category: 2, title_singular: 'Tisch', id_parent_category: 1 },
  ];
  const tree = [
    ['1', 'Möbel'],
    ['2', 'Möbel > Tisch'],
  ];
  expect(names(JSON.stringify(rows))).toEqual(tree);
  expect(names(rows.map((row) => JSON.stringify(row)).join('\n'))).toEqual(tree);
  const brands = [
    ['Bosch', 'Bosch'],
    ['Makita', 'Makita'],
  ];
  expect(names('["Bosch","Makita"]')).toEqual(brands);
  expect(names('{"stand":"2026","brands":["Bosch","Makita"]}')).toEqual(brands);
  expect(() => read('<?xml version="1.0"?><c/>')).toThrow(/XML/);
  expect(() => readList(gzipSync(Uint8Array.from([0x50, 0x4b, 3, 4, 0, 0])))).toThrow(/Excel/);
  expect(() => read('{"id":1,"name":"A"}\n{"id":2,"na')).toThrow(/vollständig/);
});

test('CAT-11 reads JSON trees, flat lists with parents, and groups with attributes', () => {
  const tree = [{ id: 1, name: 'A', children: [{ id: 2, name: 'B', children: [{ id: 3, name: 'C' }] }] }];
  expect(names(JSON.stringify(tree))).toEqual([
    ['1', 'A'],
    ['2', 'A > B'],
    ['3', 'A > B > C'],
  ]);
  const node = (categoryId: string, categoryName: string) => ({ categoryId, categoryName });
  const ebay = {
    rootCategoryNode: {
      category: node('0', 'Root'),
      childCategoryTreeNodes: [{ category: node('1', 'A'), childCategoryTreeNodes: [{ category: node('2', 'B') }] }],
    },
  };
  expect(names(JSON.stringify(ebay))).toEqual([
    ['1', 'A'],
    ['2', 'A > B'],
  ]);
  expect(names('[{"id":"a","name":"A","parentId":null},{"id":"b","name":"B","parentId":"a"}]')).toEqual([
    ['a', 'A'],
    ['b', 'A > B'],
  ]);
  const otto = [
    { categoryGroup: 'Stifte', categories: ['3D-Stift'], attributes: [{ name: 'Farbe', relevance: 'HIGH' }] },
  ];
  expect(read(JSON.stringify(otto)).entries).toEqual([
    {
      id: '3D-Stift',
      name: 'Stifte > 3D-Stift',
      info: 'Stifte',
      attributes: [{ name: 'Farbe', required: true }],
    },
  ]);
});

test('BRA-02 COL-01 a plain list is one entry per line, in the encodings of German files and gzipped', () => {
  expect(names('Bosch\nMüller\n')).toEqual([
    ['Bosch', 'Bosch'],
    ['Müller', 'Müller'],
  ]);
  const latin = Uint8Array.from([0x4d, 0xfc, 0x6c, 0x6c, 0x65, 0x72]);
  expect(readList(latin).entries[0]?.name).toBe('Müller');
  const windows = Uint8Array.from([0x4d, 0xfc, 0x6c, 0x6c, 0x65, 0x72, 0x80, 0x8a, 0x0a]);
  expect(readList(windows).entries[0]?.name).toBe('Müller€Š');
  const dos = Uint8Array.from([0x4d, 0x81, 0x6c, 0x6c, 0x65, 0x72, 0x0a, 0x47, 0x72, 0x94, 0xe1, 0x65]);
  expect(readList(dos).entries.map(({ name }) => name)).toEqual(['Müller', 'Größe']);
  const wide = Buffer.from('\uFEFFMüller\n', 'utf16le');
  for (const bytes of [wide, Buffer.from(wide).swap16()]) expect(readList(bytes).entries[0]?.name).toBe('Müller');
  expect(readList(gzipSync('Bosch\n')).entries[0]?.name).toBe('Bosch');
  expect(names('\uFEFFid;name\n1;Rot\n')).toEqual([['1', 'Rot']]);
});

test('CAT-11 refuses ambiguous or damaged lists with the reason, and warns about duplicates and rows left out', () => {
  expect(() => read('id;parent;name\na;b;A\nb;a;B\n')).toThrow(/Kreis/);
  expect(() => read('id,name\n1,Rot\n1,Blau\n')).toThrow(/1 \(„Rot“ und „Blau“\)/);
  expect(read('id,name\n1,Rot\n1,Rot\n').warnings).toEqual(['1 Eintrag stand doppelt in der Datei.']);
  expect(read('id,name\n1,Rot\n2,\n').warnings).toEqual(['1 Zeile ohne Kennung oder Namen wurde ausgelassen.']);
  expect(() => read('')).toThrow(/keine Einträge/);
  expect(() => read('{"id": 1, "name": ')).toThrow(/JSON/);
  expect(() => read('a\0b')).toThrow(/NUL/);
  expect(() => readList(gzipSync('Bosch\n').subarray(0, 12))).toThrow(/beschädigt/);
  expect(() => read(`${'['.repeat(100)}${']'.repeat(100)}`)).toThrow(/tiefer als/);
});

test('CAT-11 a tree of thousands is read completely: every id once, the last one with its path', () => {
  const lines = Array.from({ length: 70 }, (_, group) => [
    `${group * 100} - Gruppe ${group}`,
    ...Array.from({ length: 80 }, (__, n) => `${group * 100 + n + 1} - Gruppe ${group} > Ware ${n} & Zubehör`),
  ]).flat();
  const { entries } = readList(gzipSync(`# Stand: 1\n${lines.join('\n')}\n`));
  expect(entries).toHaveLength(70 * 81);
  expect(entries.at(-1)?.name).toBe('Gruppe 69 > Ware 79 & Zubehör');
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
});

test.each([
  ['tree.tsv', 12, 'Küche > Töpfe & Pfannen > Bratpfannen'],
  ['classes.csv', 8, 'Werkzeug > Handwerkzeug > Hammer'],
  ['colors.csv', 6, 'Tannengrün'],
  ['tree.json', 7, 'Sport > Radsport > Fahrradhelme'],
])('CAT-11 our list %s is read completely', (file, count, last) => {
  const { entries } = readList(readFileSync(new URL(`../../../test/data/targets/${file}`, import.meta.url)));
  expect(entries).toHaveLength(count);
  expect(entries.at(-1)?.name).toBe(last);
  expect(new Set(entries.map(({ id }) => id)).size).toBe(count);
});

/** The known contents of each list (its README); the numbers were counted with other tools. */
const known: Record<string, { entries: number; last?: string }> = {
  'google_taxonomy-with-ids.de-DE.txt.gz': { entries: 5427, last: 'Wirtschaft & Industrie > Zahnmedizin > Zahnzement' },
  'google_taxonomy-with-ids.en-US.txt.gz': { entries: 5595, last: 'Vehicles & Parts > Vehicles > Watercraft > Yachts' },
  'shopify_categories.de.txt.gz': { entries: 10365, last: 'Fahrzeuge & Teile > Fahrzeuge > Wasserfahrzeuge > Yachten' },
  'ebay_us_categories.json.gz': { entries: 15111 },
  'gs1_gpc_hierarchy.tsv.gz': { entries: 6073 },
  'farben_shopify_de.csv': { entries: 19 },
  'farbnamen_de.csv': { entries: 483 },
  'otto_market_category_sample.json': { entries: 1 },
  'proficlass7_Klassen.csv.gz': { entries: 5301 },
};

describe.skipIf(!hasInputData)(`real trees and lists (${onlyWithInputData})`, () => {
  test.each(Object.entries(known))('CAT-11 %s is read completely', (file, { entries: count, last }) => {
    const { entries } = readList(readFileSync(inputFile(`taxonomies/${file}`)));
    expect(entries.length).toBe(count);
    if (last !== undefined) expect(entries.at(-1)?.name).toBe(last);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
  });
});
