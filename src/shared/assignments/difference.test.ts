import { expect, it } from 'vitest';
import { mappingChanges, rowChanges, rowSentence, targetListChanges } from './difference.ts';
import { Mapping, MappingRow } from './schema.ts';

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

it('a change of a row that its sentence does not show names the row once', () => {
  const changed = row('_field', 'Farbe', { catname: 'Rot', target: 'r' });
  expect(rowChanges([row('_field', 'Farbe')], [changed])).toEqual([
    'Zeile geändert: Wenn Farbe entspricht „rot“, dann „Rot“.',
  ]);
});
