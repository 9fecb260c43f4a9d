import { expect, it } from 'vitest';
import { mappingChanges, rowChanges, rowSentence, targetListChanges } from './difference.ts';
import { CategoryRow, Mapping, MappingRow } from './schema.ts';

it('GEN-01 the history counts rows and entries with singular and plural', () => {
  const mapping = (rows: number) =>
    Mapping.parse({
      id: 'MapFarbe01',
      name: 'Farbe',
      data: Array.from({ length: rows }, (_, index) => ({ id: String(index) })),
    });
  expect(mappingChanges([], [mapping(1)])).toEqual(['Mapping „Farbe“ angelegt mit 1 Zeile.']);
  expect(mappingChanges([], [mapping(2)])).toEqual(['Mapping „Farbe“ angelegt mit 2 Zeilen.']);
  const list = (entries: number) => ({
    source: 'liste.csv',
    entries: Array.from({ length: entries }, (_, index) => ({ id: String(index), name: 'Rot' })),
  });
  expect(targetListChanges(undefined, list(1))).toEqual(['Liste aus „liste.csv“ geladen: 1 Eintrag (1 neu).']);
  const [entry = { id: '', name: '' }] = list(1).entries;
  const other = { source: 'liste.csv', entries: [{ ...entry, info: '#f00' }] };
  expect(targetListChanges(list(1), other)).toEqual([
    'Liste aus „liste.csv“ geladen: 1 Eintrag (1 mit anderen Angaben).',
  ]);
  expect(targetListChanges(list(1), list(1))).toEqual(['Liste aus „liste.csv“ geladen: 1 Eintrag (ohne Änderung).']);
  expect(targetListChanges(undefined, list(1200))).toEqual([
    'Liste aus „liste.csv“ geladen: 1.200 Einträge (1.200 neu).',
  ]);
});

const row = (type: string, value: string, more: object = {}) =>
  MappingRow.parse({ id: '1', field: [{ type, value }], value: 'rot', target: 'Rot', ...more });

it('GEN-01 a row names mappings and internal fields as its editor does, not by their keys', () => {
  const sources = [
    ['_field', 'Farbe'],
    ['_mapping', 'Farbe'],
    ['_intern', 'product_type'],
    ['_intern', '_id'],
    ['_default', 'neu'],
  ].map(
    ([type = '', value = '']) => /^Wenn (.*) entspricht „rot“, dann „Rot“$/.exec(rowSentence(row(type, value)))?.[1],
  );
  expect(sources).toEqual(['Farbe', 'Mapping Farbe', 'Produkttyp der Kategorie', 'Artikelnummer', '„neu“']);
});

it('CAT-10 the history says everything that changed in a row: its target and its state, also under one name', () => {
  const field = [{ input: { type: '_field', value: 'Pfad', caption: 'Pfad' }, filter: 'contains', value: 'Lack' }];
  const row = (change: object) =>
    CategoryRow.parse({ id: '1', field, target: '12', catname: 'Farben', active: true, ...change });
  const told = (change: object) => rowChanges([row({})], [row(change)]);
  const when = 'Wenn Pfad enthält „Lack“, dann „Farben“';
  expect(told({ active: false })).toEqual([`Zeile geändert: ${when} (pausiert).`]);
  expect(told({ active: false, target: '7', catname: 'Lacke' })).toEqual([
    `Zeile geändert: ${when} → Wenn Pfad enthält „Lack“, dann „Lacke“ (pausiert).`,
  ]);
  expect(told({ target: '13' })).toEqual([`Zeile geändert: ${when} (Kennung 12) → ${when} (Kennung 13).`]);
  expect(told({ producttyp: 'paint' })).toEqual([`Zeile geändert: ${when}.`]);
});
