import { expect, it } from 'vitest';
import { mainCondition } from './condition.ts';
import { OwnListing } from './history.ts';

it('REP-19 a condition is its main one, however marketplaces spell the finer ones: offers come by that', () => {
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

it('REP-19 our own offer is kept under its main condition, or no message about it would ever find it', () => {
  const listing = { item: 'A', marketplace: 'M', account: 'k', sku: 'S', asin: 'B' };
  expect(OwnListing.parse({ ...listing, condition: 'used_like_new' }).condition).toBe('used');
  expect(OwnListing.parse({ ...listing, condition: 'new_new', currency: 'eur' })).toMatchObject({
    condition: 'new',
    currency: 'EUR',
  });
});
