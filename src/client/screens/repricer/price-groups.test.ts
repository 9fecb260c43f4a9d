import { expect, it } from 'vitest';
import { germanPrice, pricesFirst } from './price-groups.ts';

const entry = (name: string, note?: string) => ({ type: '_field' as const, value: name, name, ...(note && { note }) });
const groups = [
  {
    heading: 'Projektfelder',
    entries: ['Titel', 'Bestand', 'Mindest', 'Listenpreis', 'UVP'].map((name) => entry(name)),
  },
  { heading: 'Interne Felder', entries: [{ type: '_intern' as const, value: '_id', name: 'Artikelnummer' }] },
];
const examples = new Map([
  ['Titel', 'Hammer'],
  ['Bestand', '12'],
  ['Mindest', '9.90'],
  ['UVP', '1299.5'],
]);

it('REP-04 price-like fields come first, with an example in German notation; the item number is not offered', () => {
  const found = pricesFirst(groups, examples, 'EUR');
  expect(found.map(({ heading }) => heading)).toEqual(['Projektfelder']);
  expect(found[0]?.entries.map(({ name }) => name)).toEqual(['UVP', 'Listenpreis', 'Mindest', 'Titel', 'Bestand']);
  expect(found[0]?.entries[0]?.note).toBe('z. B. 1.299,50\u00a0€');
});

it('a price is written in German notation; text that is no number is unchanged', () => {
  expect([
    germanPrice('1234.5', 'EUR'),
    germanPrice('1234.5', 'SEK'),
    germanPrice('1234.5', ''),
    germanPrice('12,5 EUR', 'EUR'),
    germanPrice('auf Anfrage', 'EUR'),
  ]).toEqual(['1.234,50\u00a0€', '1.234,50\u00a0SEK', '1.234,50', '12,50\u00a0€', 'auf Anfrage']);
});
