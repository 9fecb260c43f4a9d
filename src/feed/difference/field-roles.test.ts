import { expect, test } from 'vitest';
import { isPrice, stockRole } from './field-roles.ts';

test.each([
  ['Preis', true, undefined],
  ['VK brutto', true, undefined],
  ['priceQuantity', false, undefined],
  ['Preisgruppe', false, undefined],
  ['Bestand', false, 'stock'],
  ['quantity', false, 'stock'],
])('a change of „%s“ is judged as that of a price: %s, or of %s', (name, price, stock) => {
  expect([isPrice(name), stockRole(name, true)]).toEqual([price, stock]);
});
