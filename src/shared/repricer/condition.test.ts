import { expect, it } from 'vitest';
import { mainCondition } from './condition.ts';
import { OwnListing } from './history.ts';

it('REP-19 the finer conditions of marketplaces map to their main condition, by which offers arrive', () => {
  const words = ['new', 'New', 'new_new', 'NewItem', 'New, Open Box', ' used ', 'used_like_new', 'UsedVeryGood'];
  expect(
    [...words, 'used-good', 'refurbished_refurbished', 'Collectible; Like New', 'neuwertig', ''].map(mainCondition),
  ).toEqual([
    'new',
    'new',
    'new',
    'new',
    'new',
    'used',
    'used',
    'used',
    'used',
    'refurbished',
    'collectible',
    'neuwertig',
    '',
  ]);
});

it("REP-19 German words and the numbers of Amazon's inventory report map to main conditions too", () => {
  const kinds = {
    new: ['Neu', ' neu ', 'Neu - Sonstige', 'Neu (Sonstige)', 'Neuware', 'Neuartikel', '11'],
    used: ['Gebraucht', 'Gebraucht – Sehr gut', 'gebraucht_gut', '1', '2', '3', ' 4 '],
    collectible: ['Sammlerstück', 'Sammlerstücke - Wie neu', 'Sammlerstueck', '5', '6', '7', '8'],
    refurbished: [
      'Generalüberholt',
      'generalu\u0308berholt',
      'generalueberholt',
      'Zertifiziert und generalüberholt',
      'Refurbished',
      'CertifiedRefurbished',
      'certified_refurbished',
      'Manufacturer refurbished',
      '10',
    ],
  };
  for (const [main, texts] of Object.entries(kinds)) expect(texts.map(mainCondition)).toEqual(texts.map(() => main));
  // Other conditions, or unknown ones.
  expect(['neuwertig', '0', '9', '12', '110', 'club'].map(mainCondition)).toEqual([
    'neuwertig',
    '0',
    '9',
    '12',
    '110',
    'club',
  ]);
});

it('REP-19 our own offer is stored with its main condition, so that messages about it find it', () => {
  const listing = { item: 'A', marketplace: 'M', account: 'k', sku: 'S', asin: 'B' };
  expect(OwnListing.parse({ ...listing, condition: 'used_like_new' }).condition).toBe('used');
  expect(OwnListing.parse({ ...listing, condition: 'new_new', currency: 'eur' })).toMatchObject({
    condition: 'new',
    currency: 'EUR',
  });
});
