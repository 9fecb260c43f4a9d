import { describe, expect, it } from 'vitest';
import { chooseFields, groupFields, picturesOf } from './card-fields.ts';

const guesses = new Map([
  ['Bild 1', 'image'],
  ['Bild 2', 'image'],
  ['Link', 'url'],
  ['Netto', 'price'],
  ['EAN', 'gtin'],
] as const);
const fields = [
  { name: 'Titel', value: 'Hammer' },
  { name: 'Bild 1', value: 'https://a.example/1.jpg, https://a.example/2.jpg' },
  { name: 'Bild 2', value: 'https://a.example/1.jpg' },
  { name: 'Netto', value: '12,50' },
  { name: 'Lieferzeit', value: ' ' },
  { name: 'EAN', value: null },
  { name: 'Farbe', value: 'rot' },
  { name: 'Geändert am', value: '2026-01-01' },
];

describe('the fields of an item card', () => {
  it('ITE-04 are grouped by their content and their names', () => {
    const found = groupFields(fields, guesses).map((group) => [group.title, ...group.fields.map(({ name }) => name)]);
    expect(found).toEqual([
      ['Artikel', 'Titel', 'EAN'],
      ['Bilder und Links', 'Bild 1', 'Bild 2'],
      ['Preis, Bestand und Versand', 'Netto', 'Lieferzeit'],
      ['Eigenschaften', 'Farbe'],
      ['Weitere Felder', 'Geändert am'],
    ]);
  });

  it.each(['Bezeichnung', 'Produktname', 'product_name', 'supplier', 'Lieferant'])(
    'ITE-04 „%s“ belongs to what an item is',
    (name) => {
      expect(groupFields([{ name, value: 'Hammer' }], guesses)).toMatchObject([{ title: 'Artikel' }]);
    },
  );

  it('ITE-04 are found by name and value; blank ones can be left out', () => {
    const names = (typed: string, filled: boolean) => chooseFields(fields, typed, filled).map(({ name }) => name);
    expect(names('ROT', false)).toEqual(['Farbe']);
    expect(names('bild', false)).toEqual(['Bild 1', 'Bild 2']);
    expect(names('', true)).not.toContain('EAN');
    expect(names('', true)).not.toContain('Lieferzeit');
    expect(names('', false)).toHaveLength(fields.length);
  });

  it('ITE-05 give every picture once, also several of one value', () =>
    expect(picturesOf(fields, guesses)).toEqual([
      { address: 'https://a.example/1.jpg', name: 'Bild 1' },
      { address: 'https://a.example/2.jpg', name: 'Bild 1' },
    ]));
});
