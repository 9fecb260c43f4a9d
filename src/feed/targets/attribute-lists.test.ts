import { expect, test } from 'vitest';
import { readList } from './read-list.ts';

const read = (text: string) => readList(new TextEncoder().encode(text));
const values = (text: string) => read(text).entries.map(({ id, name, info }) => [id, name, info]);

test('CAT-11 values of attributes keep their attribute, and a value that two attributes have is there twice', () => {
  expect(values('Attribut;Wert\nFarbe;rot\nFarbe;blau\nMaterial;Holz\nMaterial;rot\n')).toEqual([
    ['Farbe > rot', 'rot', 'Farbe'],
    ['blau', 'blau', 'Farbe'],
    ['Holz', 'Holz', 'Material'],
    ['Material > rot', 'rot', 'Material'],
  ]);
  expect(values('attribute_name,allowed_value\nFarbe,rot\nGröße,S\n')).toEqual([
    ['rot', 'rot', 'Farbe'],
    ['S', 'S', 'Größe'],
  ]);
});

test('CAT-11 ids of values are ids where they tell all apart; several values in a cell are several entries', () => {
  expect(
    values('Merkmal-ID;Merkmal;Wert-ID;Wert;Hex\nF;Farbe;1;rot;#f00\nF;Farbe;2;blau;#00f\nM;Material;3;rot;\n'),
  ).toEqual([
    ['1', 'rot', 'Farbe, #f00'],
    ['2', 'blau', 'Farbe, #00f'],
    ['3', 'rot', 'Material'],
  ]);
  expect(values('Merkmal;Werte\nFarbe;rot|blau\nGröße;S | M\n')).toEqual([
    ['rot', 'rot', 'Farbe'],
    ['blau', 'blau', 'Farbe'],
    ['S', 'S', 'Größe'],
    ['M', 'M', 'Größe'],
  ]);
  // One value may hold what stands between several.
  expect(values('Merkmal;Wert\nFarbe;rot|blau\n')).toEqual([['rot|blau', 'rot|blau', 'Farbe']]);
});

test('CAT-11 a row for each attribute of a category makes one entry of the category with its attributes', () => {
  const { entries, warnings } = read(
    'Kategorie;Attribut;Pflicht\nLampen;Farbe;ja\nLampen;Leistung;nein\nTische;Material;ja\n',
  );
  expect(warnings).toEqual([]);
  expect(entries).toEqual([
    {
      id: 'Lampen',
      name: 'Lampen',
      info: '',
      attributes: [
        { name: 'Farbe', required: true },
        { name: 'Leistung', required: false },
      ],
    },
    { id: 'Tische', name: 'Tische', info: '', attributes: [{ name: 'Material', required: true }] },
  ]);
  const withValues = read('Kategorie;Attribut;Wert\nLampen;Farbe;rot\nLampen;Farbe;blau\n');
  expect(withValues.entries).toMatchObject([{ id: 'Lampen', attributes: [{ name: 'Farbe', required: false }] }]);
  expect(withValues.warnings[0]).toContain('Attribut;Wert');
});

test('CAT-11 attributes that are the entries themselves stay them', () => {
  expect(values('Merkmal_ID;Merkmalbezeichnung;Datentyp\nA1;Farbe;text\nA2;Gewicht;zahl\n')).toEqual([
    ['A1', 'Farbe', 'text'],
    ['A2', 'Gewicht', 'zahl'],
  ]);
});
