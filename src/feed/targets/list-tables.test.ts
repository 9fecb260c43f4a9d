import { expect, test } from 'vitest';
import { processorMs } from '../../../test/stages/processor-time.ts';
import { readList } from './read-list.ts';
import { readTable, recordsOf } from './read-table.ts';

const read = (text: string) => readList(new TextEncoder().encode(text));
const names = (text: string) => read(text).entries.map(({ id, name }) => [id, name]);

test('CAT-11 a table is recognised although its quoted cells contain line ends and delimiters', () => {
  expect(read('id;name;beschreibung\n1;A;"zwei\nZeilen; lang"\n2;"B; C";x\n').entries).toEqual([
    { id: '1', name: 'A', info: 'zwei\nZeilen; lang' },
    { id: '2', name: 'B; C', info: 'x' },
  ]);
});

test('CAT-11 an inch mark in a cell without quotes is text', () => {
  expect(names('id;name\n1;Fernseher 42" LED\n2;"Monitore; flach"\n')).toEqual([
    ['1', 'Fernseher 42" LED'],
    ['2', 'Monitore; flach'],
  ]);
});

test("CAT-11 a category that names itself as parent is a root, as in eBay's answers", () => {
  const category = (id: number, name: string, parent: number) =>
    `<Category><CategoryID>${id}</CategoryID><CategoryName>${name}</CategoryName><CategoryParentID>${parent}</CategoryParentID></Category>`;
  const tree = [
    ['1', 'Antik'],
    ['2', 'Antik > Möbel'],
  ];
  expect(names(`<CategoryArray>${category(1, 'Antik', 1)}${category(2, 'Möbel', 1)}</CategoryArray>`)).toEqual(tree);
  expect(names('id;name;parent\n1;Antik;1\n2;Möbel;1\n')).toEqual(tree);
});

test('CAT-11 a code and a title for each level are a path, and two such pairs are not', () => {
  expect(
    names(
      'SegmentCode,SegmentTitle,FamilyCode,FamilyTitle,BrickCode,BrickTitle\n1,Tiere,11,Futter,111,Hund\n1,Tiere,11,Futter,112,Katze\n',
    ),
  ).toEqual([
    ['111', 'Tiere > Futter > Hund'],
    ['112', 'Tiere > Futter > Katze'],
  ]);
  expect(names('Hersteller-Nr;Herstellername;Kategorie-Nr;Kategoriename\n7;Bosch;1;Bohrer\n7;Bosch;2;Sägen\n')).toEqual(
    [
      ['1', 'Bohrer'],
      ['2', 'Sägen'],
    ],
  );
});

test('CAT-11 rows without an id in a table with ids cause a warning', () => {
  const { entries, warnings } = read('ID;Name\n1;A\n2;B\n;Summe 2\n');
  expect(entries.at(-1)?.id).toBe('Summe 2');
  expect(warnings).toEqual([expect.stringMatching(/^In 1 Zeile fehlt die Kennung, zuerst bei „Summe 2“/)]);
});

test('CAT-11 a row without an id that names the level of the rows below it causes no warning', () => {
  expect(read('Ebene 1;Ebene 2;ID;Name\nTiere;;;\n;Hund;1;Hund\n;Katze;2;Katze\n')).toEqual({
    entries: [
      { id: 'Tiere', name: 'Tiere', info: '' },
      { id: '1', name: 'Tiere > Hund', info: '' },
      { id: '2', name: 'Tiere > Katze', info: '' },
    ],
    warnings: [],
  });
});

test('CAT-11 the warning of missing ids counts the rows that are read, and quotes the name that is their id', () => {
  expect(read('ID;Name;Info\n1;A;\n;;Hinweis: Stand 2026\n').warnings).toEqual([
    '1 Zeile ohne Kennung oder Namen wurde ausgelassen.',
  ]);
  const { warnings } = read('Info;ID;Name\nx;1;A\nx;2;C\ny;;B\nStand 2026;;\n');
  expect(warnings[0]).toMatch(/^In 1 Zeile fehlt die Kennung, zuerst bei „B“/);
});

test.each([
  ['16,000 columns', `${'xx;name;'.repeat(8000)}Node ID\n`],
  ['a title of 90,000 characters', `ID;Name;a${'_'.repeat(90_000)}x\n1;Tiere;\n`],
])('T4: a header of %s takes less than 2 s', async (_what, text) => {
  expect(await processorMs(() => readTable(recordsOf(text) ?? []))).toBeLessThan(2000);
});

test('CAT-11 a quote that is not closed in its line refuses the table instead of hiding the rows below it', () => {
  const rows = 'id;name\n1;A\n2;"Premium\n3;C\n4;D\n';
  for (const text of [`${rows}5;Monitor 24"-Zoll\n6;E\n`, rows])
    expect(() => read(text)).toThrow(
      'Die Tabelle ist nicht lesbar (Zeile 3, bei „"Premium“): ein Anführungszeichen steht an falscher Stelle oder fehlt.',
    );
});

test('CAT-11 a quoted cell may begin with a quotation and have line ends', () => {
  expect(read('id;name;info\n1;A;"""Neu""\nab ""2026"""\n2;"B" alt;x\n').entries).toEqual([
    { id: '1', name: 'A', info: '"Neu"\nab "2026"' },
    { id: '2', name: '"B" alt', info: 'x' },
  ]);
});

test('CAT-11 rows with different line ends in one table are all read', () => {
  expect(names('id;name\r\n1;A\n2;"B"\n3;C\r4;D\r\n').map(([id]) => id)).toEqual(['1', '2', '3', '4']);
});
