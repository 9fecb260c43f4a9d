import { expect, it } from 'vitest';
import { mappingChanges, targetListChanges } from './difference.ts';
import { Mapping } from './schema.ts';

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
